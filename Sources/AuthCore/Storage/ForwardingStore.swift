/// A store that forwards everything to another store, such as one with a backend, or the chosen
/// one.
package protocol ForwardingStore: TokenCacheStore {
  /// The other store.
  var target: any TokenCacheStore { get async }
  /// The other store; nil while it has not been chosen.
  var knownTarget: (any TokenCacheStore)? { get }
}

extension ForwardingStore {
  /// The other store's value; false while there is none.
  public var hasChanged: Bool { knownTarget?.hasChanged ?? false }

  /// The other store's warning.
  public var warning: AuthenticationError? { knownTarget?.warning }

  /// The other store's name; nil while there is none.
  public var lockName: String? { knownTarget?.lockName }

  /// Allows the other store to ask the user again.
  public func allowAskingAgain() { knownTarget?.allowAskingAgain() }

  /// Finds out whether the other store can be written.
  public func checkWriting() async throws(AuthenticationError) {
    try await target.checkWriting()
  }

  /// All records of the other store.
  public func load() async throws(AuthenticationError) -> [StoredRecord] {
    try await target.load()
  }

  /// The index of the other store.
  public func index() async throws(AuthenticationError) -> [RecordEntry] {
    try await target.index()
  }

  /// The record with `id` of the other store.
  public func load(id: String) async throws(AuthenticationError) -> StoredRecord? {
    try await target.load(id: id)
  }

  /// Writes `record` to the other store.
  public func save(_ record: StoredRecord) async throws(AuthenticationError) {
    try await target.save(record)
  }

  /// Writes all of `records` to the other store.
  public func save(_ records: [StoredRecord]) async throws(AuthenticationError) {
    try await target.save(records)
  }

  /// Removes the record with `id` from the other store.
  public func delete(id: String) async throws(AuthenticationError) {
    try await target.delete(id: id)
  }
}

extension TokenCacheStore {
  /// Looks for what keeps accounts from being read or written; changes nothing.
  ///
  /// It asks the user nothing, if the store's backend asks nothing.
  /// - Throws: what the next use would throw, or warn of.
  package func examine() async throws(AuthenticationError) {
    let store = await last
    if let records = store as? RecordStore {
      try await records.examineRecords()
    } else {
      _ = try await store.load()
    }
    try await store.checkWriting()
  }

  /// The last store in a chain of forwarding stores.
  var last: any TokenCacheStore {
    get async {
      guard let forwarding = self as? any ForwardingStore else { return self }
      return await forwarding.target.last
    }
  }
}
