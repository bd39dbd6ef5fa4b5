/// What the index of a ``TokenCacheStore`` says of a record.
public struct RecordEntry: Sendable, Hashable, Identifiable {
  /// The record's ID.
  public var id: String
  /// Whose record it is.
  public var account: AccountKey
  /// The app that it is for.
  public var clientID: String

  /// Says whose a record is.
  public init(id: String, account: AccountKey, clientID: String) {
    self.id = id
    self.account = account
    self.clientID = clientID
  }
}
