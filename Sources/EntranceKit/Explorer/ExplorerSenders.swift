/// Whose the requests of the page are: the window's account's, unless the person has chosen another
/// one for the page.
@MainActor
final class ExplorerSenders {
  private let accounts: AccountList
  /// What was chosen, and the account that was selected then.
  private var choice: (id: AccountRow.ID, selected: AccountRow.ID?)?

  /// Creates the senders of a page, of which the window's account is chosen.
  init(_ accounts: AccountList) {
    self.accounts = accounts
  }

  /// The account that was chosen in place of the window's; nil for the window's.
  ///
  /// It is read each time: between a change of the accounts and its notice, nothing may be sent for
  /// an account that is not chosen any more.
  var other: AccountRow? {
    guard let choice, choice.selected == accounts.selectedID else { return nil }
    return accounts.rows.first { $0.id == choice.id && !$0.isSelected }
  }

  /// The account that requests are sent for; nil when nobody is signed in.
  var row: AccountRow? { other ?? accounts.selectedRow }

  /// The same by its ID.
  var id: AccountRow.ID? { other?.id ?? accounts.selectedID }

  /// The accounts that can be chosen, that of the window first.
  var rows: [AccountRow] {
    let rows = accounts.rows
    return rows.filter(\.isSelected) + rows.filter { !$0.isSelected }
  }

  /// Chooses an account of ``rows``, for as long as it and the window's account stay.
  func choose(_ id: AccountRow.ID) { choice = (id, accounts.selectedID) }

  /// Forgets a choice that does not hold any more: it would come back with the accounts.
  ///
  /// - Returns: whether its account has left.
  func follow() -> Bool {
    guard let choice, other == nil else { return false }
    self.choice = nil
    return choice.id != accounts.selectedID && choice.selected == accounts.selectedID
  }
}
