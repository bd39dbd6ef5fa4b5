import AuthCore
import Connections
import Localization

// The accounts, and which of them is selected.
extension AccountModel {
  var configuration: PublicClientApplicationConfiguration { application.configuration }

  /// The row of the selected account; nil when there is none.
  var selectedID: AccountRow.ID? {
    account.map { AccountRow.ID(account: AccountKey($0), tenantID: tenantID) }
  }

  /// The selected account's profile in the selected tenant.
  var selectedProfile: TenantProfile? {
    account.flatMap { profile(of: $0, in: tenantID) }
  }

  /// The authority of the selected tenant; nil for the connection's own.
  var tenantAuthority: Authority? {
    account.flatMap { account in
      tenantID.flatMap { configuration.authority(of: account, inTenant: $0) }
    }
  }

  private func profile(of account: Account, in tenantID: String?) -> TenantProfile? {
    application.profile(of: account, in: tenantID)
  }

  // MARK: Reading

  /// Reads the accounts, and selects one: the selected one if it is still there, else the one that
  /// was selected in the last run, else the last one to sign in.
  ///
  /// - Parameter current: the last account to sign in.
  func readAccounts(current: Account?) async {
    let found = application.lastReadAccounts
    let own = found.map(\.account)
    if !hasReadSelection {
      hasReadSelection = true
      remembered = await book.lastSelection()
    }
    signedOut = Set(found.filter { !$0.isSignedIn }.map { AccountKey($0.account) })
    brokerAccounts.removeAll { own.contains($0) }
    setAccounts(own + brokerAccounts, current: current)
  }

  private func setAccounts(_ found: [Account], current: Account?) {
    let isAnyGone = accounts.contains { !found.contains($0) }
    accounts = found
    account =
      found.first { $0 == account } ?? selectRemembered(among: found) ?? current
    if let account, let tenantID, profile(of: account, in: tenantID) == nil { self.tenantID = nil }
    if account == nil { tenantID = nil }
    guard isAnyGone else { return }
    let keys = Set(found.map { AccountKey($0) })
    fetchedPictures.formIntersection(keys)
    pictures = pictures.filter { keys.contains($0.key) }
    idsThatNeedSignIn = idsThatNeedSignIn.filter { keys.contains($0.account) }
    // The log must not keep tokens of an account that is no longer signed in.
    forgetTokens()
  }

  private func selectRemembered(among found: [Account]) -> Account? {
    guard !configuration.isSharedDevice, let remembered,
      let account = found.first(where: { AccountKey($0) == remembered.id.account })
    else { return nil }
    self.remembered = nil
    tenantID = configuration.hasTenants ? remembered.id.tenantID : nil
    return account
  }

  /// Reads the identity broker's accounts, which may take long, in the background.
  func readBrokerAccounts() {
    guard configuration.isBrokerRedirectURIRegistered, brokerReading == nil else { return }
    brokerReading = Task { [weak self, application] in
      let all = await application.accounts()
      guard let self, !Task.isCancelled else { return }
      brokerReading = nil
      brokerAccounts = all.filter { found in
        found.isFromBroker && !accounts.contains { $0 == found && !$0.isFromBroker }
      }
      let own = accounts.filter { account in !brokerAccounts.contains(account) }
      // The account of the last run may be one of them.
      account = selectRemembered(among: own + brokerAccounts) ?? account
      setAccounts(own + brokerAccounts, current: account)
      showAccount()
    }
  }

  // MARK: Remembering

  /// Follows a change of the accounts or of the selection: files keep nothing of accounts that are
  /// gone.
  func rememberAccounts() async {
    guard readingFailure == nil else { return }
    if let photos {
      await photos.keep(only: accounts.map { AccountKey($0) })
      for key in accounts.map({ AccountKey($0) }) where pictures[key] == nil {
        pictures[key] = await photos.picture(of: key)
      }
    }
    // While the remembered account may still be the broker's, it is not replaced.
    guard remembered == nil || !configuration.isBrokerRedirectURIRegistered else { return }
    // The broker's accounts are not known at once.
    if !configuration.isBrokerRedirectURIRegistered {
      let keys = Set(accounts.map { AccountKey($0) })
      book.keep(where: keys.contains)
    }
    rememberSelection()
    await book.finishWriting()
  }

  func rememberSelection() {
    book.select(
      selectedID, username: configuration.isSharedDevice ? account?.username.plain : nil)
  }

  /// On a shared device, the user name of the account that was signed in at the end of the last
  /// run, when another program has signed it out since; asked once.
  func takeAccountOfLastRun() -> String? {
    guard configuration.isSharedDevice, let last = remembered else { return nil }
    remembered = nil
    return last.id.account == account.map({ AccountKey($0) }) ? nil : last.username
  }

  // MARK: Rows

  /// The accounts, each followed by the other tenants that it was used in.
  var rows: [AccountRow] {
    let rows = accounts.flatMap { account in
      application.tenantIDs(of: account).map { row(account, tenantID: $0) }
    }
    // An account that is not stored, because the store is not available.
    guard let account, !accounts.contains(account) else { return rows }
    return [row(account, tenantID: nil)] + rows
  }

  private func row(_ account: Account, tenantID: String?) -> AccountRow {
    var row = AccountRow(
      account, profile(of: account, in: tenantID), tenantID: tenantID, at: connection)
    row.needsSignIn =
      signedOut.contains(row.id.account) || idsThatNeedSignIn.contains(row.id)
    row.isSelected = row.id == selectedID
    row.picture = pictures[row.id.account]
    let note = book.note(of: row.id.account)
    row.ownName = note?.name?.plain
    if !row.isTenant { row.lastUse = note?.lastUseText(at: now()) }
    return row
  }

  /// The lines of a result, below the account that it belongs to when there are several.
  func naming(_ result: AuthenticationResult, _ lines: [String]) -> [String] {
    guard state.rows.count > 1, let selected = rows.first(where: \.isSelected) else { return lines }
    return [tr("Account: {account}", ["account": selected.logText])] + lines
  }
}

extension PublicClientApplication {
  /// The tenants in which an account can be used: nil for its own, or the only one, then those where
  /// it is a guest.
  nonisolated func tenantIDs(of account: Account) -> [String?] {
    guard configuration.hasTenants else { return [nil] }
    return [nil] + account.tenantProfiles.filter { !$0.isHomeTenantProfile }.map(\.tenantID)
  }

  /// The profile of an account in one of its ``tenantIDs(of:)``.
  nonisolated func profile(of account: Account, in tenantID: String?) -> TenantProfile? {
    guard let tenantID else { return tenantProfile(of: account) }
    return account.tenantProfiles.first { $0.tenantID == tenantID }
  }
}
