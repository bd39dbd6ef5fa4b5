import AuthCore
import Connections
import Localization

/// Selects, adds and renames the accounts of a window.
@MainActor
public final class AccountsModel {
  private let status: WindowStatus
  private let storage: AccountStorage
  private let tokens: TokenSource

  private var accounts: AccountList { status.accounts }
  private var application: PublicClientApplication { status.workspace.application }

  init(_ status: WindowStatus, _ storage: AccountStorage, _ tokens: TokenSource) {
    self.status = status
    self.storage = storage
    self.tokens = tokens
  }

  /// Whether accounts can be added beside the selected one.
  var canAdd: Bool { !status.workspace.connection.application.isSharedDevice }

  /// Selects an account, or a tenant in which it is a guest.
  ///
  /// Other work prevents a change, or the account has left meanwhile; then the user is told.
  /// - Returns: whether it is selected now.
  @discardableResult
  public func select(_ id: AccountRow.ID) -> Bool {
    guard id != accounts.selectedID else { return true }
    guard let row = accounts.rows.first(where: { $0.id == id }),
      accounts.account(id.account) != nil
    else {
      status.toasts.notify(
        tr("This account is no longer signed in. To use it, sign in with it again."))
      return false
    }
    guard status.canStart else {
      status.showObstacle()
      return false
    }
    accounts.select(id)
    // What failed for another account is not repeated for this one.
    status.forgetOutcome()
    let outcome = tr("Switched to {account}.", ["account": row.logText])
    status.conclude(outcome)
    // A request has the place of the status line.
    if status.request != nil { status.toasts.notify(outcome) }
    return true
  }

  /// *Add Account…*: signs in, and selects the account.
  ///
  /// - Returns: the task; nil when that is not possible now, and the user was told.
  @discardableResult
  public func add() -> Task<Void, Never>? {
    guard canAdd || accounts.selected == nil else {
      status.toasts.notify(
        tr("This computer is shared. Sign out before another account signs in."))
      return nil
    }
    return signIn(nil)
  }

  /// *Sign In Again*: selects an account, and signs it in.
  @discardableResult
  public func signInAgain(_ id: AccountRow.ID) -> Task<Void, Never>? {
    guard select(id), let account = accounts.selected else { return nil }
    return signIn(account)
  }

  /// *Sign In*: signs in, where nobody is signed in, or again the selected account that needs it.
  ///
  /// - Parameter way: the way to sign in; nil for the preferred one.
  @discardableResult
  public func signIn(by way: SignInWay? = nil) -> Task<Void, Never>? {
    guard let account = accounts.selected, accounts.selectedRow?.needsSignIn == true else {
      return start { await self.tokens.token(signingInBy: way) }
    }
    // The renewal that is refused says what the sign-in has to ask for; the API may have refused the
    // token that is kept.
    return start { await self.tokens.silentToken(for: account, forceRefresh: true, by: way) }
  }

  /// *Use Another Account*: lets the user select an account, and signs it in.
  @discardableResult
  public func useAnother() -> Task<Void, Never>? { signIn(nil) }

  private func signIn(_ account: Account?) -> Task<Void, Never>? {
    start { await self.tokens.signIn(account) }
  }

  /// Signs in, and shows the account's picture.
  ///
  /// - Returns: the task; nil when other work prevents it, and the user was told.
  private func start(
    _ signIn: @escaping @MainActor () async -> AuthenticationResult?
  ) -> Task<Void, Never>? {
    let task = status.start(.signingIn) {
      guard let result = await signIn() else { return }
      self.accounts.fetchPicture(with: result)
    }
    if task == nil { status.showObstacle() }
    return task
  }

  /// *Rename*: gives an account a name of the user's own, which only this app shows.
  ///
  /// - Parameter name: the name; empty for none. While personal details are hidden, an empty one
  ///   changes nothing: the dialog did not show the name.
  public func rename(_ id: AccountRow.ID, to name: String) {
    if hidesNames, name.allSatisfy(\.isWhitespace) { return }
    accounts.rename(id.account, to: name)
  }

  /// What an account is called, to be edited; empty while personal details are hidden.
  public func nameToEdit(of id: AccountRow.ID) -> String {
    guard !hidesNames else { return "" }
    return accounts.rows.first { $0.id.account == id.account }?.heading ?? ""
  }

  private var hidesNames: Bool { status.workspace.privacy.isOn }

  /// The model of the dialog that asks for an organization, to sign an account in where it is a
  /// guest; nil when the account has only one.
  public func makeOrganizationModel(_ id: AccountRow.ID) -> OrganizationModel? {
    let configuration = application.configuration
    guard configuration.hasTenants, let account = accounts.account(id.account) else { return nil }
    let username = status.workspace.privacy.shown(account.username.shownName)
    return OrganizationModel(username: username) { [weak self] name in
      guard let self, let authority = configuration.authority(of: account, inTenant: name) else {
        return OrganizationModel.notAnOrganization
      }
      if let obstacle = status.obstacle { return obstacle }
      if account != accounts.selected {
        select(AccountRow.ID(account: id.account, tenantID: nil))
      }
      _ = status.start(.signingIn) {
        _ = await self.tokens.signIn(account, organization: authority)
      }
      return nil
    }
  }
}
