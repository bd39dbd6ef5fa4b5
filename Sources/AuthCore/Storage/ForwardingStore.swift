/// A store that hands everything on to another: one with a backend, or one that was chosen.
package protocol ForwardingStore: TokenCacheStore {
  /// The store that does the work.
  var target: any TokenCacheStore { get async }
  /// The same; nil while it has not been chosen.
  var knownTarget: (any TokenCacheStore)? { get }
}

extension ForwardingStore {
  /// What the other store says; false before there is one.
  public var hasChanged: Bool { knownTarget?.hasChanged ?? false }

  /// What the other store says.
  public var warning: AuthenticationError? { knownTarget?.warning }

  /// What the other store says; nil before there is one.
  public var lockName: String? { knownTarget?.lockName }

  /// Lets the other store ask the person again.
  public func allowAskingAgain() { knownTarget?.allowAskingAgain() }

  /// All records of the other store.
  public func load() async throws(AuthenticationError) -> [StoredRecord] {
    try await target.load()
  }

  /// The accounts of the other store, as far as it can tell without reading their records.
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
  /// The store that does the work, behind all that hand on to another.
  var last: any TokenCacheStore {
    get async {
      guard let forwarding = self as? any ForwardingStore else { return self }
      return await forwarding.target.last
    }
  }
}
