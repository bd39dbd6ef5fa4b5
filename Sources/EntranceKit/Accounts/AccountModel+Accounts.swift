import AuthCore
import Connections
import Localization
import MicrosoftGraph

// Selects, adds and forgets accounts.
extension AccountModel {
  /// Selects an account, or a tenant in which it is a guest.
  ///
  /// Other work prevents a change.
  /// - Returns: whether it is selected now.
  @discardableResult
  public func select(_ id: AccountRow.ID) -> Bool {
    guard state.canStart, id != selectedID,
      let row = state.rows.first(where: { $0.id == id }),
      let found = accounts.first(where: { AccountKey($0) == id.account })
    else { return id == selectedID }
    (account, tenantID, remembered) = (found, id.tenantID, nil)
    showAccount()
    conclude(tr("Switched to {account}.", ["account": row.logText]))
    rememberSelection()
    return true
  }

  /// *Add Account…*: signs in, and selects the account.
  @discardableResult
  public func addAccount() -> Task<Void, Never>? {
    guard state.canAddAccounts else { return nil }
    return start(.signingIn) {
      guard let result = await self.acquireTokenInteractively(for: nil) else { return }
      self.fetchPicture(with: result)
    }
  }

  /// *Sign In Again*: selects an account, and signs it in.
  @discardableResult
  public func signInAgain(_ id: AccountRow.ID) -> Task<Void, Never>? {
    guard select(id), let account else { return nil }
    return start(.signingIn) {
      guard let result = await self.acquireTokenInteractively(for: account) else { return }
      self.fetchPicture(with: result)
    }
  }

  /// *Forget*: removes an account and its tokens from this app, without any page.
  @discardableResult
  public func forget(_ id: AccountRow.ID) -> Task<Void, Never>? {
    guard let account = accounts.first(where: { AccountKey($0) == id.account }) else { return nil }
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
    // If the identity broker still has it, it is listed again when the broker is asked again.
    brokerAccounts.removeAll { $0 == account }
    // What is being read may still have it.
    if let reading = brokerReading {
      reading.cancel()
      brokerReading = nil
      readBrokerAccounts()
    }
    book.keep { $0 != AccountKey(account) }
    await updateAccount()
  }

  private func logForgetting(_ account: Account, _ error: AuthenticationError) {
    log(
      tr(
        "{username} could not be removed: {error}",
        ["username": account.username, "error": tr(error.sentence)]), error)
  }

  // MARK: Notes

  /// *Rename*: gives an account a name of the user's own, which only this app shows.
  ///
  /// - Parameter name: the name; empty for none.
  public func rename(_ id: AccountRow.ID, to name: String) {
    let words = name.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    book.note(id.account) { $0.name = words.isEmpty ? nil : words }
  }

  /// Notes that the selected account was used.
  private func noteUse() {
    guard let account else { return }
    let date = now()
    book.note(AccountKey(account)) { $0.use(at: date) }
  }

  // MARK: Organizations

  /// The model of the dialog that asks for an organization; nil when the account has only one.
  public func makeOrganizationModel(_ id: AccountRow.ID) -> OrganizationModel? {
    guard configuration.hasTenants,
      let account = accounts.first(where: { AccountKey($0) == id.account })
    else { return nil }
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
      self.account = result.account
      let isHome = result.tenantID == result.account.homeAccountID.tenantID
      tenantID = configuration.hasTenants && !isHome ? result.tenantID : nil
      remembered = nil
    } else if !isOfSelectedAccount(result) {
      return false
    }
    noteSignIn(isNeeded: false)
    return true
  }

  /// Whether a token belongs to the selected account and tenant; a token that does not is not used.
  func isOfSelectedAccount(_ result: AuthenticationResult) -> Bool {
    let tenant = tenantID ?? selectedProfile?.tenantID
    if result.account == account, tenant == nil || tenant == result.tenantID { return true }
    let row = AccountRow(
      result.account, result.account.tenantProfiles.first { $0.tenantID == result.tenantID },
      tenantID: nil, at: connection)
    log(
      tr(
        "The token was not used: it belongs to {other}, not to {selected}.",
        [
          "other": row.logText,
          "selected": rows.first(where: \.isSelected)?.logText ?? tr("the selected account"),
        ]), [tr("To use that account, choose “Switch Account”.")])
    return false
  }

  /// Notes whether the selected account can be used without a sign-in.
  func noteSignIn(isNeeded: Bool) {
    guard let id = selectedID else { return }
    if !isNeeded { noteUse() }
    if isNeeded { idsThatNeedSignIn.insert(id) } else { idsThatNeedSignIn.remove(id) }
  }

  // MARK: Photos

  /// Fetches the profile photo of a token's account once, in the background.
  ///
  /// Only Microsoft Graph has photos, and in an organization where the account is a guest there is
  /// none.
  func fetchPicture(with result: AuthenticationResult) {
    let key = AccountKey(result.account)
    guard connection.isMicrosoftGraph, tenantID == nil, fetchedPictures.insert(key).inserted else {
      return
    }
    Task { [weak self, graph] in
      let photo: ProfilePhoto?
      do throws(GraphError) {
        photo = try await graph.profilePhoto(authorization: result.authorizationHeader)
      } catch {
        // Without a response, the next call tries again.
        self?.fetchedPictures.remove(key)
        return
      }
      await self?.show(photo, of: key)
    }
  }

  private func show(_ picture: ProfilePhoto?, of key: AccountKey) async {
    // It may have been signed out meanwhile.
    guard accounts.contains(where: { AccountKey($0) == key }) else {
      fetchedPictures.remove(key)
      return
    }
    pictures[key] = picture
    showAccount()
    if let picture { await photos?.store(picture, of: key) } else { await photos?.remove(key) }
  }
}
