/// An entry in the index of a ``TokenCacheStore``.
public struct RecordEntry: Sendable, Hashable, Identifiable {
  /// The record's ID.
  public var id: String
  /// The record's account.
  public var account: AccountKey
  /// The record's app.
  public var clientID: String

  /// Creates an entry.
  public init(id: String, account: AccountKey, clientID: String) {
    self.id = id
    self.account = account
    self.clientID = clientID
  }
}
