public import AuthCore
import FoundationEssentials

/// Remembers which account of a connection was selected, in a file that only this user can read.
///
/// It contains the account's ID and tenant. Errors are ignored: the last account that signed in is
/// selected then.
public actor SelectionFile {
  /// What is remembered.
  struct Selection: Sendable, Equatable {
    /// The selected account, and the tenant in which it is a guest.
    var id: AccountRow.ID
    /// The user name, on a shared device: it is shown when the account is gone at the next start.
    var username: String?
  }

  private let file: PrivateFile

  /// Creates a memory in `directory` for the connection called `connection`.
  public init(directory: String, connection: String) {
    file = PrivateFile(path: "\(directory)/\(FileName.hash(connection)).json")
  }

  /// What was remembered last; nil when there is nothing.
  func read() -> Selection? {
    guard let found = try? file.read(), let json = try? JSON(parsing: found.bytes),
      let account = json["account"]?.string, let cloud = json["cloud"]?.string
    else { return nil }
    return Selection(
      id: AccountRow.ID(
        account: AccountKey(homeAccountID: account, environment: cloud),
        tenantID: json["tenant"]?.string),
      username: json["username"]?.string)
  }

  /// Remembers `selection`; nil to forget.
  func write(_ selection: Selection?) {
    guard let selection else {
      try? FileManager.default.removeItem(atPath: file.path)
      return
    }
    guard selection != read() else { return }
    let members: [(String, String?)] = [
      ("account", selection.id.account.homeAccountID), ("cloud", selection.id.account.cloud),
      ("tenant", selection.id.tenantID), ("username", selection.username),
    ]
    let json = JSON.object(
      members.compactMap { name, value in value.map { JSON.Member(name, .string($0)) } })
    guard (try? file.makeDirectory()) != nil else { return }
    _ = try? file.write([Array(json.compactText.utf8)[...]])
  }
}
