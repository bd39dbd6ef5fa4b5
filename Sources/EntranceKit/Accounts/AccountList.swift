import AuthCore
import Connections
import MicrosoftGraph

/// The accounts of a connection in a window: which accounts there are, which one is selected, and
/// the name and photo of each.
///
/// The selection and the user's notes are in the ``AccountNotesFile``, which all windows share.
@MainActor
final class AccountList {
  /// The accounts, the last to sign in first.
  private(set) var all: [Account] = []
  /// The selected account; nil when there is none, or it is unknown.
  private(set) var selected: Account?
  /// The tenant in which the selected account is a guest; nil for its home tenant, or the only one.
  private(set) var tenantID: String?
  /// The observers of changes in the background: names, photos, the broker's accounts.
  let changes = Observers<Void>()
  /// The observers of removed accounts.
  let removals = Observers<Void>()

  private let workspace: Workspace
  private var observers: [Observer] = []
  /// The selection of the last run, until it is applied.
  private var remembered: AccountNotes.Selection?
  private var hasReadSelection = false
  /// Whether somebody has signed in since the selection was remembered.
  private var hasSignedIn = false
  /// Accounts in the store that sign in at another service than the app's.
  private var elsewhere: Set<AccountKey> = []
  /// Accounts that only the identity broker knows.
  private var brokerAccounts: [Account] = []
  private var brokerReading: Task<Void, Never>?
  /// Accounts without usable tokens.
  private var signedOut: Set<AccountKey> = []
  private var pictures: [AccountKey: ProfilePhoto] = [:]
  /// The accounts whose photo was fetched in this run.
  private var fetchedPictures: Set<AccountKey> = []

  init(_ workspace: Workspace) {
    self.workspace = workspace
    observers = [
      // Another window may rename an account.
      workspace.accountNotes.changes.add { [weak self] in
        guard let self else { return }
        for account in all { learn(account) }
        changes.notify(())
      },
      workspace.privacy.changes.add { [weak self] in self?.changes.notify(()) },
      workspace.signInNeeds.add { [weak self] in self?.changes.notify(()) },
    ]
  }

  /// Cancels the background work.
  func close() {
    brokerReading?.cancel()
    observers = []
  }

  /// The account with this key; nil when there is none.
  func account(_ key: AccountKey) -> Account? { all.first { AccountKey($0) == key } }

  /// Whether the account with this key is signed in, even if it could not be stored.
  func has(_ key: AccountKey) -> Bool {
    account(key) != nil || selected.map { AccountKey($0) } == key
  }

  private var application: PublicClientApplication { workspace.application }
  private var configuration: PublicClientApplicationConfiguration { application.configuration }
  private var notes: AccountNotesFile { workspace.accountNotes }
  private var photos: PhotoCache? { workspace.photos }

  /// Adds the account's names to those that can be hidden.
  private func learn(_ account: Account) {
    workspace.privacy.learn(account, ownName: notes.note(of: AccountKey(account))?.name)
  }

  private func profile(of account: Account, in tenantID: String?) -> TenantProfile? {
    application.profile(of: account, in: tenantID)
  }
}

// MARK: - Selection

extension AccountList {
  /// The row of the selected account; nil when there is none.
  var selectedID: AccountRow.ID? {
    selected.map { AccountRow.ID(account: AccountKey($0), tenantID: tenantID) }
  }

  /// The row of the selected account, as the page shows it.
  var selectedRow: AccountRow? { rows.first(where: \.isSelected) }

  /// The authority of the selected tenant; nil for the connection's own.
  var tenantAuthority: Authority? {
    selected.flatMap { authority(of: $0, in: tenantID) }
  }

  /// The authority of a tenant in which an account is a guest; nil for the connection's own.
  func authority(of account: Account, in tenantID: String?) -> Authority? {
    tenantID.flatMap { configuration.authority(of: account, inTenant: $0) }
  }

  /// Selects an account, or a tenant in which it is a guest.
  func select(_ id: AccountRow.ID) {
    guard let found = account(id.account) else { return }
    (selected, tenantID, remembered) = (found, id.tenantID, nil)
    rememberSelection()
  }

  /// Selects the account that has just signed in, in the tenant of the sign-in.
  func select(signedIn result: AuthenticationResult) {
    selected = result.account
    learn(result.account)
    let isHome = result.tenantID == result.account.homeAccountID.tenantID
    tenantID = configuration.hasTenants && !isHome ? result.tenantID : nil
    (remembered, hasSignedIn) = (nil, true)
  }

  /// Whether a token belongs to the selected account and tenant; one that does not is not used.
  func isSelected(_ result: AuthenticationResult) -> Bool {
    let home = selected.flatMap { self.profile(of: $0, in: tenantID)?.tenantID }
    let tenant = tenantID ?? home
    return result.account == selected && (tenant == nil || tenant == result.tenantID)
  }

  /// On a shared device, the user name of the account that was signed in at the end of the last
  /// run, when another program has signed it out since; asked once.
  func takeAccountOfLastRun() -> String? {
    guard configuration.isSharedDevice, let last = remembered else { return nil }
    remembered = nil
    return last.id.account == selected.map({ AccountKey($0) }) ? nil : last.username?.shownName
  }

  private func selectRemembered(among found: [Account]) -> Account? {
    guard !configuration.isSharedDevice, let remembered,
      let account = found.first(where: { AccountKey($0) == remembered.id.account })
    else { return nil }
    self.remembered = nil
    tenantID = configuration.hasTenants ? remembered.id.tenantID : nil
    return account
  }

  private func rememberSelection() {
    hasSignedIn = false
    notes.select(
      selectedID, username: configuration.isSharedDevice ? selected?.username.plain : nil)
  }
}

// MARK: - Reading

extension AccountList {
  /// The state of the accounts that all windows share.
  struct Known: Equatable {
    fileprivate var accounts: [Account]
    fileprivate var signedOut: Set<AccountKey>
  }

  /// The shared state, as this window has read it.
  var known: Known { Known(accounts: all, signedOut: signedOut) }

  /// Reads the accounts, and selects one: the selected one if it is still there, else the one that
  /// was selected in the last run, else the last one to sign in.
  ///
  /// - Parameter current: the last account to sign in.
  func read(current: Account?) async {
    let stored = application.lastReadAccounts
    // An app with the same client ID may sign in at another service.
    let found = stored.filter { application.isAccount($0.account) }
    let own = found.map(\.account)
    elsewhere = Set(stored.map { AccountKey($0.account) }).subtracting(own.map { AccountKey($0) })
    if !hasReadSelection {
      // Until it is known, no reading may select another account, which would replace it.
      let last = await notes.lastSelection()
      if !hasReadSelection { (hasReadSelection, remembered) = (true, last) }
    }
    signedOut = Set(found.filter { !$0.isSignedIn }.map { AccountKey($0.account) })
    let ownSet = Set(own)
    brokerAccounts.removeAll { ownSet.contains($0) }
    setAccounts(
      own + brokerAccounts, current: current.flatMap { ownSet.contains($0) ? $0 : own.first })
  }

  private func setAccounts(_ found: [Account], current: Account?) {
    let gone = Set(Set(all).subtracting(found).map { AccountKey($0) })
    all = found
    for account in found { learn(account) }
    selected = found.first { $0 == selected } ?? selectRemembered(among: found) ?? current
    if let selected, let tenantID, profile(of: selected, in: tenantID) == nil {
      self.tenantID = nil
    }
    if selected == nil { tenantID = nil }
    guard !gone.isEmpty else { return }
    fetchedPictures.subtract(gone)
    pictures = pictures.filter { !gone.contains($0.key) }
    workspace.idsThatNeedSignIn = workspace.idsThatNeedSignIn.filter { !gone.contains($0.account) }
    removals.notify(())
  }

  /// Reads the identity broker's accounts, which may take long, in the background.
  func readBrokerAccounts() {
    guard configuration.isBrokerRedirectURIRegistered, brokerReading == nil else { return }
    brokerReading = Task { [weak self, application] in
      let found = await application.accounts()
      guard let self, !Task.isCancelled else { return }
      brokerReading = nil
      brokerAccounts = found.filter { account in
        account.isFromBroker && !all.contains { $0 == account && !$0.isFromBroker }
      }
      let own = all.filter { account in !brokerAccounts.contains(account) }
      // The account of the last run may be one of them.
      selected = selectRemembered(among: own + brokerAccounts) ?? selected
      setAccounts(own + brokerAccounts, current: selected)
      changes.notify(())
      await readPictures()
      changes.notify(())
    }
  }

  /// Forgets the accounts that only the identity broker knows, until it is asked again.
  func forgetBrokerAccounts() { brokerAccounts = [] }

  /// Forgets accounts that were signed out, and removes their data from files.
  func forget(_ gone: [Account]) async {
    // If the identity broker still has one, it is listed again when the broker is asked again.
    brokerAccounts.removeAll { gone.contains($0) }
    // The reading in progress may still return them.
    if let reading = brokerReading {
      reading.cancel()
      brokerReading = nil
      readBrokerAccounts()
    }
    let keys = Set(gone.map { AccountKey($0) })
    // What the rows show changes when they go.
    await notes.keep(notifies: false) { !keys.contains($0) }
    await workspace.history.keep { !keys.contains($0) }
    for key in keys { await photos?.remove(key) }
  }

  /// Sets whether accounts are only in memory; then files get no data of new accounts.
  func keepNoFiles(_ isOnlyInMemory: Bool) {
    notes.keepNoFiles(isOnlyInMemory)
    workspace.history.keepNoFiles(isOnlyInMemory)
  }

  /// Stores the selection, and removes the data of removed accounts from files.
  ///
  /// - Parameters:
  ///   - isComplete: whether all accounts in the store are known; otherwise no data is removed.
  ///   - isReadable: whether the store could be read, even if not all of it.
  ///   - selects: whether to remember this window's selection, instead of another window's.
  func remember(isComplete: Bool, isReadable: Bool, selects: Bool) async {
    let keys = elsewhere.union(all.map { AccountKey($0) })
    // The broker's accounts are not known at once.
    let isAll = isComplete && !configuration.isBrokerRedirectURIRegistered
    if isAll { await photos?.keep(only: Array(keys)) }
    await readPictures()
    if isAll {
      await notes.keep(notifies: false, where: keys.contains)
      await workspace.history.keep(where: keys.contains)
    }
    // While the remembered account may still be the broker's, it is not replaced.
    let isKnown = remembered == nil || !configuration.isBrokerRedirectURIRegistered
    guard isComplete && isKnown || isReadable && hasSignedIn else { return }
    guard selects else { return }
    rememberSelection()
    await notes.finishWriting()
  }
}

// MARK: - Rows

extension AccountList {
  /// The accounts, each followed by the other tenants that it was used in.
  var rows: [AccountRow] {
    let rows = all.flatMap { account in
      application.tenants(of: account).map { row(account, $0.profile, tenantID: $0.id) }
    }
    // An account that is not stored, because the store is not available.
    guard let selected, !all.contains(selected) else { return rows }
    return [ownRow(selected)] + rows
  }

  /// An account by its name and user name.
  func text(of account: Account) -> String { ownRow(account).nameAndUsername }

  /// The row of an account in its own tenant.
  private func ownRow(_ account: Account) -> AccountRow {
    row(account, profile(of: account, in: nil), tenantID: nil)
  }

  private func row(
    _ account: Account, _ profile: TenantProfile?, tenantID: String?
  ) -> AccountRow {
    var row = AccountRow(account, profile, tenantID: tenantID, at: workspace.connection)
    row.needsSignIn =
      signedOut.contains(row.id.account) || workspace.idsThatNeedSignIn.contains(row.id)
    row.isSelected = row.id == selectedID
    row.picture = pictures[row.id.account]
    let note = notes.note(of: row.id.account)
    row.ownName = note?.name?.plain
    if !row.isTenant { row.lastUse = note?.lastUseText(at: workspace.now()) }
    return row
  }

  /// Gives an account a name of the user's own; empty for none.
  func rename(_ account: AccountKey, to name: String) {
    let words = name.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    notes.note(account) { $0.name = words.isEmpty ? nil : words }
  }

  /// Notes whether the selected account can be used without a sign-in.
  func noteSignIn(isNeeded: Bool) {
    guard let id = selectedID else { return }
    if isNeeded { return _ = workspace.idsThatNeedSignIn.insert(id) }
    let date = workspace.now()
    notes.note(id.account) { $0.use(at: date) }
    workspace.idsThatNeedSignIn.remove(id)
  }
}

// MARK: - Photos

extension AccountList {
  /// Fetches the profile photo of a token's account once, in the background.
  ///
  /// Only Microsoft Graph has photos, and in an organization where the account is a guest there is
  /// none.
  ///
  /// - Parameters:
  ///   - graph: the API that the token is for; nil for the connection's current API.
  ///   - connection: the connection that the token is for; nil for the current one.
  func fetchPicture(
    with result: AuthenticationResult, from graph: GraphClient? = nil,
    at connection: Connection? = nil
  ) {
    let key = AccountKey(result.account)
    guard (connection ?? workspace.connection).isMicrosoftGraph, tenantID == nil,
      fetchedPictures.insert(key).inserted
    else { return }
    Task { [weak self, graph = graph ?? workspace.graph, application] in
      let photo: ProfilePhoto?
      do throws(GraphError) {
        photo =
          try await graph.authorized(
            by: result.authorizationHeader, of: result.account, in: application
          ).profilePhoto()
      } catch {
        // Without a photo, the next call tries again, unless the API has asked for a pause.
        self?.fetchedPictures.remove(key)
        return
      }
      await self?.keep(photo, of: key)
    }
  }

  /// Reads the stored photos of the accounts.
  func readPictures() async {
    guard let photos else { return }
    for key in all.map({ AccountKey($0) }) where pictures[key] == nil {
      pictures[key] = await photos.picture(of: key)
    }
  }

  private func keep(_ picture: ProfilePhoto?, of key: AccountKey) async {
    // It may have been signed out meanwhile.
    guard account(key) != nil else {
      fetchedPictures.remove(key)
      return
    }
    pictures[key] = picture
    changes.notify(())
    guard let picture else {
      await photos?.remove(key)
      return
    }
    if !notes.isOnlyInMemory { await photos?.store(picture, of: key) }
  }
}

extension PublicClientApplication {
  /// The tenants in which an account can be used, each with its profile there: nil for its own, or the
  /// only one, then those where it is a guest, which can be very many.
  nonisolated func tenants(of account: Account) -> [(id: String?, profile: TenantProfile?)] {
    var tenants: [(id: String?, profile: TenantProfile?)] = [(nil, tenantProfile(of: account))]
    guard configuration.hasTenants else { return tenants }
    for profile in account.tenantProfiles where !profile.isHomeTenantProfile {
      tenants.append((profile.tenantID, profile))
    }
    return tenants
  }

  /// The profile of an account in one of its ``tenants(of:)``.
  nonisolated func profile(of account: Account, in tenantID: String?) -> TenantProfile? {
    guard let tenantID else { return tenantProfile(of: account) }
    return account.tenantProfiles.first { $0.tenantID == tenantID }
  }
}
