import AuthCore
import CurlHTTP
import FoundationEssentials

/// Remembers which account of a connection was selected, and what the user noted about each, in a
/// file that only this user can read.
///
/// It contains IDs of accounts and tenants. Errors are ignored: the last account that signed in is
/// selected then.
public actor SelectionFile {
  /// What is remembered.
  struct Selection: Sendable, Equatable {
    /// The selected account, and the tenant in which it is a guest.
    var id: AccountRow.ID
    /// The user name, on a shared device: it is shown when the account is gone at the next start.
    var username: String?
    /// The notes about accounts.
    var notes: [AccountKey: AccountNote] = [:]
  }

  private var record: ConnectionRecord

  /// Creates a memory in `directory` for the connection called `connection`.
  public init(directory: String, connection: String) {
    record = ConnectionRecord(directory: directory, connection: connection)
  }

  /// Goes on under another name of the connection.
  func rename(to connection: String) { record.rename(to: connection) }

  /// What was remembered last; nil when there is nothing.
  func read() -> Selection? {
    guard let json = record.read(), let account = AccountKey(json) else { return nil }
    let notes = (json["accounts"]?.array ?? []).compactMap { entry in
      AccountKey(entry).map { ($0, AccountNote(entry)) }
    }
    return Selection(
      id: AccountRow.ID(account: account, tenantID: json["tenant"]?.string),
      username: json["username"]?.string, notes: Dictionary(notes) { $1 })
  }

  /// Remembers `selection`; nil to forget.
  func write(_ selection: Selection?) {
    guard let selection else { return record.write(nil) }
    guard selection != read() else { return }
    let members: [(String, String?)] = [
      ("tenant", selection.id.tenantID), ("username", selection.username),
    ]
    let notes = selection.notes.filter { $0.value != AccountNote() }
      .map { JSON.object($0.members + $1.members) }
    record.write(
      .object(
        selection.id.account.members
          + members.compactMap { name, value in value.map { JSON.Member(name, .string($0)) } }
          + (notes.isEmpty ? [] : [JSON.Member("accounts", .array(notes))])))
  }
}

extension AccountKey {
  fileprivate init?(_ json: JSON) {
    guard let account = json["account"]?.string, let cloud = json["cloud"]?.string else {
      return nil
    }
    self.init(homeAccountID: account, environment: cloud)
  }

  fileprivate var members: [JSON.Member] {
    [JSON.Member("account", .string(homeAccountID)), JSON.Member("cloud", .string(cloud))]
  }
}

extension AccountNote {
  fileprivate init(_ json: JSON) {
    name = json["name"]?.string
    lastDay = json["day"]?.integer
  }

  fileprivate var members: [JSON.Member] {
    let members: [(String, JSON?)] = [
      ("name", name.map { .string($0) }), ("day", lastDay.map { .number(String($0)) }),
    ]
    return members.compactMap { name, value in value.map { JSON.Member(name, $0) } }
  }
}
