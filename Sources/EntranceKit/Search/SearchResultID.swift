import AuthCore

/// The ID of a search result: a connection, or an account of it.
///
/// The desktop passes its text form back, perhaps to another run of the program. The ID contains no
/// person's name.
public struct SearchResultID: Sendable, Hashable {
  /// The name of the connection.
  public var connection: String
  /// The account, in one of its tenants; nil for the connection itself.
  public var account: AccountRow.ID?

  init(connection: String, account: AccountRow.ID? = nil) {
    self.connection = connection
    self.account = account
  }

  /// Reads an identifier; nil when it is none.
  public init?(_ identifier: String) {
    guard let parts = try? JSON(parsing: Array(identifier.utf8)).array?.map(\.string),
      let connection = parts.first ?? nil, parts.allSatisfy({ $0 != nil })
    else { return nil }
    self.connection = connection
    switch parts.count {
    case 1: break
    case 3, 4:
      account = AccountRow.ID(
        account: AccountKey(homeAccountID: parts[1] ?? "", environment: parts[2] ?? ""),
        tenantID: parts.count == 4 ? parts[3] : nil)
    default: return nil
    }
  }

  /// The text form.
  public var identifier: String {
    let parts = [
      connection, account?.account.homeAccountID, account?.account.cloud, account?.tenantID,
    ]
    return JSON.array(parts.compactMap { $0.map { .string($0) } }).compactText
  }
}
