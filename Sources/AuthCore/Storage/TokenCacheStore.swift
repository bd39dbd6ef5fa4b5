/// Keeps accounts and their tokens between runs.
///
/// A store does not interpret what it keeps: one record for each account, under a random ID. Each
/// write must be atomic.
///
/// An object belongs to one ``PublicClientApplication``: what one application reads or writes with
/// it, another one with the same object does not notice. Applications share a place by an object
/// each.
///
/// A record is JSON in MSAL's unified schema.
public protocol TokenCacheStore: Sendable {
  /// Whether another application may have changed the store since it was last read or written with
  /// this object, so that it has to be read again.
  ///
  /// It is called before every use of cached data, so it must be fast. False by default.
  var hasChanged: Bool { get }

  /// A problem found by the last read, which was otherwise successful: a record was damaged or
  /// missing.
  ///
  /// Its code is ``AuthenticationError/Code/storageIncomplete``. Nil when there was none.
  var warning: AuthenticationError? { get }

  /// The store's name among all stores of this user, when several applications can share it; nil for
  /// a store of one application, the default.
  ///
  /// Applications whose stores have the same name renew an account's tokens one after the other, under
  /// a lock: the first sends a request, the others find its result. For this, ``hasChanged`` must
  /// detect what others wrote. The name is requested before a renewal, never when a cached token is
  /// returned.
  var lockName: String? { get }

  /// All records.
  ///
  /// - Throws: ``AuthenticationError`` with code ``AuthenticationError/Code/storageUnavailable``
  ///   when the store is locked, missing or does not answer. It must not return an empty list then.
  func load() async throws(AuthenticationError) -> [StoredRecord]

  /// The accounts, as far as the store knows them without reading their records.
  ///
  /// A store for many accounts keeps an index, so that a token of one account takes one record.
  /// Records missing in the index are found by ``load()``. Empty by default.
  /// - Throws: like ``load()``.
  func index() async throws(AuthenticationError) -> [RecordEntry]

  /// The record with `id`, from ``index()``.
  ///
  /// - Returns: nil when it does not exist, or is damaged; ``load()`` reports the problem.
  /// - Throws: like ``load()``.
  func load(id: String) async throws(AuthenticationError) -> StoredRecord?

  /// Writes `record`, and replaces the one with the same ID.
  func save(_ record: StoredRecord) async throws(AuthenticationError)

  /// Writes all of `records`.
  ///
  /// By default, one after the other. Implement it if the store can write several faster together.
  func save(_ records: [StoredRecord]) async throws(AuthenticationError)

  /// Removes the record with `id`, if it exists.
  func delete(id: String) async throws(AuthenticationError)

  /// Finds out whether a record could be written now: before the user signs in for nothing, and
  /// before a refresh token is used up that the service accepts only once.
  ///
  /// It changes nothing, and does not ask the user. By default, a store can always be written.
  /// - Throws: ``AuthenticationError`` with code ``AuthenticationError/Code/storageUnavailable`` and
  ///   the reason when it could not.
  func checkWriting() async throws(AuthenticationError)

  /// Allows the next ``load()`` to ask the user, although they declined before.
  ///
  /// Does nothing by default, for stores that never ask.
  func allowAskingAgain()
}

extension TokenCacheStore {
  /// Always false: for stores of one application.
  public var hasChanged: Bool { false }
  /// Always nil.
  public var warning: AuthenticationError? { nil }
  /// Always nil: for stores of one application.
  public var lockName: String? { nil }
  /// Always empty: for stores without an index.
  public func index() async throws(AuthenticationError) -> [RecordEntry] { [] }
  /// Reads all records to find it.
  public func load(id: String) async throws(AuthenticationError) -> StoredRecord? {
    try await load().first { $0.id == id }
  }
  /// Does nothing: for stores that can always be written.
  public func checkWriting() async throws(AuthenticationError) {}
  /// Does nothing: for stores that never ask the user.
  public func allowAskingAgain() {}

  /// Writes one after the other.
  public func save(_ records: [StoredRecord]) async throws(AuthenticationError) {
    for record in records { try await save(record) }
  }
}
