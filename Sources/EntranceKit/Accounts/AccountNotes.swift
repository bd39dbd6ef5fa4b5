public import AuthCore

/// What this app remembers about a connection's accounts from one run to the next: which one was
/// selected, and what the user noted about each.
public typealias AccountNotesFile = KeptFile<AccountNotes>

extension KeptFile<AccountNotes> {
  /// The account that was selected last, in any window or in the last run; nil when there is none.
  func lastSelection() async -> AccountNotes.Selection? {
    await load()
    return contents.selection
  }

  /// Remembers which account is selected; nil for none.
  func select(_ id: AccountRow.ID?, username: String?) {
    // Each window has a selection of its own.
    change(notifies: false) { notes in
      notes.selection = id.map { AccountNotes.Selection(id: $0, username: username) }
    }
  }

  /// The user's own name of an account, and its last use.
  func note(of account: AccountKey) -> AccountNote? { contents.notes[account] }

  /// Changes what is noted about an account.
  func note(_ account: AccountKey, _ body: (inout AccountNote) -> Void) {
    change { body(&$0.notes[account, default: AccountNote()]) }
  }
}

/// What is remembered about a connection's accounts: IDs of accounts and tenants, and the user's notes.
///
/// If it is lost, the last account that signed in is selected.
public struct AccountNotes: KeptContents {
  /// The account that was selected last.
  struct Selection: Sendable, Equatable {
    /// The selected account, and the tenant in which it is a guest.
    var id: AccountRow.ID
    /// The user name, on a shared device: it is shown when the account is gone at the next start.
    var username: String?
  }

  /// The account that was selected last; nil for none.
  var selection: Selection?
  /// The notes about accounts.
  var notes: [AccountKey: AccountNote] = [:]

  /// Nothing.
  public init() {}

  /// Reads what is in a file.
  public init(_ json: JSON) {
    selection = AccountKey(json).map { account in
      Selection(
        id: AccountRow.ID(account: account, tenantID: json["tenant"]?.string),
        username: json["username"]?.string)
    }
    let noted = (json["accounts"]?.array ?? []).compactMap { entry in
      AccountKey(entry).map { ($0, AccountNote(entry)) }
    }
    notes = Dictionary(noted) { $1 }
  }

  /// What is written; nil without a selection and notes.
  public var json: JSON? {
    let noted = notes.filter { $0.value != AccountNote() }
    guard selection != nil || !noted.isEmpty else { return nil }
    let accounts = noted.map { JSON(members: $0.key.members + $0.value.members) }
    let selected: [(String, JSON?)] = [
      ("tenant", selection?.id.tenantID.map { .string($0) }),
      ("username", selection?.username.map { .string($0) }),
      ("accounts", accounts.isEmpty ? nil : .array(accounts)),
    ]
    return JSON(members: (selection?.id.account.members ?? []) + selected)
  }

  /// The accounts that it is about.
  public var accounts: Set<AccountKey> {
    Set(notes.keys).union([selection?.id.account].compactMap(\.self))
  }

  /// What of it is about `accounts`.
  public func only(_ accounts: Set<AccountKey>) -> Self {
    var kept = Self()
    kept.selection = selection.flatMap { accounts.contains($0.id.account) ? $0 : nil }
    kept.notes = notes.filter { accounts.contains($0.key) }
    return kept
  }

  /// Adds what was in the file.
  public mutating func add(older: Self) {
    notes.merge(older.notes) { newer, _ in newer }
    if selection == nil { selection = older.selection }
  }
}

extension AccountNote {
  fileprivate init(_ json: JSON) {
    name = json["name"]?.string
    lastDay = json["day"]?.integer
  }

  fileprivate var members: [(String, JSON?)] {
    [("name", name.map { .string($0) }), ("day", lastDay.map { .number(String($0)) })]
  }
}
