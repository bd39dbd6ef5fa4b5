import AuthCore
import Connections
import Localization

// Selects, adds and forgets accounts.
extension AccountModel {
  /// Selects an account, or a tenant in which it is a guest.
  ///
  /// Other work prevents a change.
  /// - Returns: whether it is selected now.
  @discardableResult
  public func select(_ id: AccountRow.ID) -> Bool {
    guard state.canStart, id != accounts.selectedID,
      let row = state.rows.first(where: { $0.id == id }), accounts.account(id.account) != nil
    else { return id == accounts.selectedID }
    accounts.select(id)
    showAccount()
    conclude(tr("Switched to {account}.", ["account": row.logText]))
    return true
  }

  /// *Add Account…*: signs in, and selects the account.
  @discardableResult
  public func addAccount() -> Task<Void, Never>? {
    guard state.canAddAccounts else { return nil }
    return start(.signingIn) {
      guard let result = await self.acquireTokenInteractively(for: nil) else { return }
      self.accounts.fetchPicture(with: result)
    }
  }

  /// *Sign In Again*: selects an account, and signs it in.
  @discardableResult
  public func signInAgain(_ id: AccountRow.ID) -> Task<Void, Never>? {
    guard select(id), let account else { return nil }
    return start(.signingIn) {
      guard let result = await self.acquireTokenInteractively(for: account) else { return }
      self.accounts.fetchPicture(with: result)
    }
  }

  /// *Forget*: removes an account and its tokens from this app, without any page.
  @discardableResult
  public func forget(_ id: AccountRow.ID) -> Task<Void, Never>? {
    guard let account = accounts.account(id.account) else { return nil }
    return start(.signingOut) {
      do throws(AuthenticationError) {
        let failures = try await self.application.signOut(account).failures
        for failure in failures { self.logForgetting(account, failure) }
        await self.updateAccount(removing: account)
        if failures.isEmpty {
          self.conclude(
            tr(
              "{username} was removed from this app.",
              ["username": account.username]))
        }
      } catch {
        await self.updateAccount()
        self.logForgetting(account, error)
      }
    }
  }

  /// Shows the accounts after one was removed, and selects another.
  func updateAccount(removing account: Account) async {
    accounts.forget(account)
    await updateAccount()
  }

  private func logForgetting(_ account: Account, _ error: AuthenticationError) {
    log(
      tr(
        "{username} could not be removed: {error}",
        ["username": account.username, "error": tr(error.sentence)]), error)
  }

  /// *Rename*: gives an account a name of the user's own, which only this app shows.
  ///
  /// - Parameter name: the name; empty for none.
  public func rename(_ id: AccountRow.ID, to name: String) {
    accounts.rename(id.account, to: name)
  }

  // MARK: Organizations

  /// The model of the dialog that asks for an organization; nil when the account has only one.
  public func makeOrganizationModel(_ id: AccountRow.ID) -> OrganizationModel? {
    let configuration = application.configuration
    guard configuration.hasTenants, let account = accounts.account(id.account) else { return nil }
    return OrganizationModel(username: account.username.plain) { [weak self] name in
      guard let self, let authority = configuration.authority(of: account, inTenant: name) else {
        return false
      }
      if account != self.account { select(AccountRow.ID(account: id.account, tenantID: nil)) }
      return signIn(account, to: authority) != nil
    }
  }

  /// *Sign In to Another Organization…*: signs an account in to a tenant where it is a guest.
  private func signIn(_ account: Account, to organization: Authority) -> Task<Void, Never>? {
    start(.signingIn) {
      _ = await self.acquireTokenInteractively(for: account, organization: organization)
    }
  }

  // MARK: Whose token it is

  /// Selects the account of a sign-in, unless it is not the one that was to sign in.
  ///
  /// - Parameters:
  ///   - account: the account that was to sign in; nil for any.
  ///   - selectsTenant: whether the tenant of the result is selected too.
  /// - Returns: whether the result may be used.
  func accept(
    _ result: AuthenticationResult, for account: Account?, selectsTenant: Bool
  ) -> Bool {
    if account == nil || selectsTenant && result.account == account {
      accounts.select(signedIn: result)
    } else if !isOfSelectedAccount(result) {
      return false
    }
    accounts.noteSignIn(isNeeded: false)
    return true
  }

  /// Whether a token belongs to the selected account and tenant; a token that does not is not used.
  func isOfSelectedAccount(_ result: AuthenticationResult) -> Bool {
    if accounts.isSelected(result) { return true }
    let row = AccountRow(
      result.account, result.account.tenantProfiles.first { $0.tenantID == result.tenantID },
      tenantID: nil, at: connection)
    log(
      tr(
        "The token was not used: it belongs to {other}, not to {selected}.",
        [
          "other": row.logText,
          "selected": accounts.selectedRow?.logText ?? tr("the selected account"),
        ]), [tr("To use that account, choose “Switch Account”.")])
    return false
  }

  /// The lines of a result, below the account that it belongs to when there are several.
  func naming(_ result: AuthenticationResult, _ lines: [String]) -> [String] {
    guard state.rows.count > 1, let selected = accounts.selectedRow else { return lines }
    return [tr("Account: {account}", ["account": selected.logText])] + lines
  }
}
