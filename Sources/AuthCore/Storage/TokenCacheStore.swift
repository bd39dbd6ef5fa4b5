/// Keeps accounts and their tokens from one run to the next.
///
/// A store knows nothing of what it keeps: it holds one record an account, under an ID that says nothing.
/// A record must be there whole or not at all, whatever happens while it is written.
///
/// A record is JSON in MSAL's unified schema.
public protocol TokenCacheStore: Sendable {
  /// Whether another program may have changed the store since it was last read or written here, so that it
  /// has to be read again.
  ///
  /// It is asked before every use of what was read, so it must be quick. False unless a store says
  /// otherwise.
  var hasChanged: Bool { get }

  /// What was amiss when the store was last read, though the rest of it could be: a record was damaged, or
  /// is missing.
  ///
  /// Its code is ``AuthenticationError/Code/storageIncomplete``. Nil when all was well.
  var warning: AuthenticationError? { get }

  /// What tells this store from all others of this person, when several processes can share it; nil when it
  /// is one process's alone, which is so unless a store says otherwise.
  ///
  /// Processes whose stores have the same name renew an account's tokens one after the other, under a lock:
  /// the first asks the server, the others find what it got. So that they do, ``hasChanged`` has to tell of
  /// what others wrote. The name is asked for before a renewal, never when a cached token will do.
  var lockName: String? { get }

  /// All records.
  ///
  /// - Throws: ``AuthenticationError`` with code ``AuthenticationError/Code/storageUnavailable`` when the
  ///   store is locked, absent or does not answer. That is never the same as no records.
  func load() async throws(AuthenticationError) -> [StoredRecord]

  /// Which accounts there are, as far as the store can tell without reading their records.
  ///
  /// A store of many keeps an index, so that a token of one account costs one record. What the index leaves
  /// out is found by ``load()``. Empty unless a store says otherwise.
  /// - Throws: as ``load()`` does.
  func index() async throws(AuthenticationError) -> [RecordEntry]

  /// The record with `id`, of which ``index()`` has told.
  ///
  /// - Returns: nil when it is not there, or not whole; ``load()`` finds out what is amiss.
  /// - Throws: as ``load()`` does.
  func load(id: String) async throws(AuthenticationError) -> StoredRecord?

  /// Writes `record`, in place of the one with the same ID.
  func save(_ record: StoredRecord) async throws(AuthenticationError)

  /// Writes all of `records`, as if one after the other.
  ///
  /// It is for many at once. A store that can write them more quickly together does so.
  func save(_ records: [StoredRecord]) async throws(AuthenticationError)

  /// Removes the record with `id`, if there is one.
  func delete(id: String) async throws(AuthenticationError)

  /// Lets the next ``load()`` ask the person for what it takes, although they were asked before.
  ///
  /// A store that asks nobody has nothing to do, which is so unless a store says otherwise.
  func allowAskingAgain()
}

extension TokenCacheStore {
  /// Always false: for stores that are this program's alone.
  public var hasChanged: Bool { false }
  /// Always nil.
  public var warning: AuthenticationError? { nil }
  /// Always nil: for stores that are this program's alone.
  public var lockName: String? { nil }
  /// Always empty: for stores whose records are all read at once.
  public func index() async throws(AuthenticationError) -> [RecordEntry] { [] }
  /// Reads all records for it.
  public func load(id: String) async throws(AuthenticationError) -> StoredRecord? {
    try await load().first { $0.id == id }
  }
  /// Does nothing: for stores that ask nobody.
  public func allowAskingAgain() {}

  /// Writes one after the other.
  public func save(_ records: [StoredRecord]) async throws(AuthenticationError) {
    for record in records { try await save(record) }
  }
}
