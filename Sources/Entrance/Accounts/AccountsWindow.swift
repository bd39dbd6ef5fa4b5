import EntranceKit
import Gtk
import Localization

/// The list of accounts with what can be done with each.
@MainActor
final class AccountsWindow: Presentable {
  private let model: AccountModel
  let window: Window
  private let list: ListBox
  private let menu: Object
  private let signOutAllButton: Button
  private let photos: PhotoDecoder
  private let ask: @MainActor (OrganizationModel) -> Void
  private var rows: [AccountRow] = []
  /// The actions of the rows that begin a sign-in.
  private var signInActions: [Action] = []
  /// The actions of the rows that sign out.
  private var signOutActions: [Action] = []
  private var observer: Observer?
  private let presenter: DialogPresenter

  /// Makes the window; it is not shown yet.
  ///
  /// - Parameters:
  ///   - presenter: shows its dialogs.
  ///   - ask: asks for an organization, when it is closed.
  init(
    _ model: AccountModel, photos: PhotoDecoder, presenter: DialogPresenter,
    ask: @escaping @MainActor (OrganizationModel) -> Void
  ) {
    self.model = model
    self.presenter = presenter
    self.photos = photos
    self.ask = ask
    let builder = Builder(interface: "accounts-window")
    window = builder.dialog()
    list = builder.object("list")
    menu = builder.object("account_menu")
    signOutAllButton = builder.object("sign_out_all_button")
    window.insert(ActionGroup([add, signOutAll]), as: "accounts")
    observer = model.changes.add { [weak self] in self?.show($0) }
    show(model.state)
  }

  private lazy var add = Action("add") { [weak self] in self?.leave { $0.add() } }
  private lazy var signOutAll = Action("sign-out-all") { [weak self] in
    guard let self else { return }
    window.close()
    model.signOut.askForAll([])
  }

  /// Closes the window, so that the account page and its log are seen, and does `action`.
  private func leave(_ action: @MainActor (AccountsModel) -> Void) {
    window.close()
    action(model.window.accounts)
  }

  private func show(_ state: AccountState) {
    if state.rows.isEmpty { return window.close() }
    if state.rows != rows { showRows(state.rows) }
    add.isEnabled = state.canStart && state.canAddAccounts
    for action in signInActions { action.isEnabled = state.canStart }
    for action in signOutActions + [signOutAll] { action.isEnabled = state.canStartConfirmed }
  }

  private func showRows(_ rows: [AccountRow]) {
    self.rows = rows
    (signInActions, signOutActions) = ([], [])
    list.show(rows.map(makeRow), selected: rows.firstIndex(where: \.isSelected))
    signOutAllButton.isVisible = Set(rows.map(\.id.account)).count > 1
  }

  private func makeRow(_ row: AccountRow) -> Widget {
    let widget = ActionRow(
      row, photos: photos, avatarSize: 40, subtitleLines: 3, lastUse: row.lastUse)
    guard !row.isTenant else { return widget }
    widget.insert(ActionGroup(actions(of: row)), as: "row")
    let name = tr("Actions for {username}", ["username": row.username])
    let button = MenuButton(icon: "view-more-symbolic", name: name, menu: menu)
    widget.add(button)
    // Accounts are managed here, and switched in the switcher.
    widget.onActivate { button.popUp() }
    return widget
  }

  private func actions(of row: AccountRow) -> [Action] {
    let id = row.id
    let organization = model.window.accounts.makeOrganizationModel(id)
    let toOrganization = Action("sign-in-to-organization") { [weak self] in
      guard let self, let organization else { return }
      window.close()
      ask(organization)
    }
    toOrganization.isEnabled = organization != nil
    let signIn = Action("sign-in") { [weak self] in self?.leave { $0.signInAgain(id) } }
    let signOut = Action("sign-out") { [weak self] in
      guard let self else { return }
      window.close()
      model.signOut.ask(id)
    }
    signInActions += organization == nil ? [signIn] : [signIn, toOrganization]
    signOutActions.append(signOut)
    return [
      signIn, toOrganization, Action("rename") { [weak self] in self?.rename(row) },
      link("open-account-page", row.accountPage), link("open-apps-page", row.appsPage), signOut,
    ]
  }

  private func rename(_ row: AccountRow) {
    let accounts = model.window.accounts
    let dialog = RenameDialog(for: row, named: accounts.nameToEdit(of: row.id)) {
      accounts.rename(row.id, to: $0)
    }
    presenter.present(dialog, over: window)
  }

  private func link(_ name: String, _ page: String?) -> Action {
    let action = Action(name) { [weak self] in
      if let page { self?.window.open(page: page) }
    }
    action.isEnabled = page != nil
    return action
  }
}
