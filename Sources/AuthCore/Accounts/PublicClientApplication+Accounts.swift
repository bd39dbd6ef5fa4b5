import FoundationEssentials

/// The accounts that are signed in.
extension PublicClientApplication {
  /// The accounts in the cache, the last to sign in first.
  ///
  /// They are followed by the accounts that only this computer's identity broker knows
  /// (``Account/isFromBroker``); silent requests can acquire tokens for them too.
  ///
  /// When the task is canceled before the cache was read, these are the accounts that were known
  /// before, which can be none: check `Task.isCancelled` before you conclude that nobody is signed
  /// in.
  /// - Parameter filter: selects accounts; by default, all.
  public nonisolated func accounts(_ filter: AccountFilter = AccountFilter()) async -> [Account] {
    guard broker?.givesTokens == true else { return await ownAccounts(filter) }
    // Queries the broker while the store is read.
    async let brokers = brokerAccounts()
    let own = await ownAccounts(filter)
    // The broker's may be under another host of the cloud.
    let known = Set(memory.accounts.map(\.key))
    return own + (await brokers).filter { !known.contains($0.key) && filter.matches($0) }
  }

  /// The account with an ``Account/id``; nil when it is not known here, or the task was canceled
  /// before the cache was read.
  public nonisolated func account(identifier: String) async -> Account? {
    // Reads only one record.
    await memory.load(.identifier(identifier))
    if let account = memory.account(identifier: identifier) { return account }
    return await brokerAccounts().first { $0.id == identifier }
  }

  /// The accounts with a user name, case-insensitive; several when the name exists in more than one
  /// tenant.
  public func accounts(username: String) async -> [Account] {
    await accounts(AccountFilter(username: username))
  }

  /// The account that signed in last, and the one that the previous call reported if it was
  /// different.
  ///
  /// Accounts that only the identity broker knows do not count: they have not signed in here, or
  /// have signed out.
  ///
  /// On shared devices, call this when the app comes to the foreground, to notice a change of user.
  /// The previous account is forgotten when the app exits, so that nothing remains of a user who
  /// signed out.
  public func currentAccount() async -> CurrentAccount {
    let current = await ownAccounts().first
    // It is kept longer than the account, so without the claims of its tokens.
    defer { lastReported = current?.withoutClaims }
    let isSame = lastReported?.key == current?.key
    return CurrentAccount(current: current, previous: isSame ? nil : lastReported)
  }

  /// The profile of `account` in the tenant that its tokens come from: its home tenant, or one
  /// where it is a guest.
  ///
  /// Nil when it has not signed in to that tenant yet. With an authority for several tenants,
  /// tokens come from the account's home tenant.
  public nonisolated func tenantProfile(of account: Account) -> TenantProfile? {
    guard let known = memory.known(account),
      let realm = known.record.realm(for: configuration.authority(of: account))
    else { return nil }
    return known.account.tenantProfiles.first { $0.tenantID == realm }
  }

  // MARK: - For this package

  /// The accounts that are stored here, without those that only the identity broker knows.
  package nonisolated func ownAccounts(
    _ filter: AccountFilter = AccountFilter()
  ) async -> [Account] {
    await memory.load(filter.identifier.map { .identifier($0) } ?? .all)
    guard filter != AccountFilter() else { return memory.accounts }
    let date = runtime.now()
    return memory.accounts.filter { account in
      filter.matches(account)
        && (!filter.returnOnlySignedInAccounts
          || memory.record(of: account)?.isSignedIn(at: date) == true)
    }
  }

  /// The stored accounts as they were last read, each with whether it can be used without a
  /// sign-in.
  package nonisolated var lastReadAccounts: [(account: Account, isSignedIn: Bool)] {
    let date = runtime.now()
    return memory.accounts.map { account in
      (account, memory.record(of: account)?.isSignedIn(at: date) == true)
    }
  }

  /// Whether an account belongs to the app's authority: same cloud, or same host.
  ///
  /// The tokens of any other account are refused, so a person should not be offered it.
  package nonisolated func isAccount(_ account: Account) -> Bool {
    configuration.isAccount(account)
  }

  /// The accounts of which the store has lost the data, as far as it keeps a list.
  package func lostAccounts() async -> [LostAccount] {
    guard let store = await memory.store.last as? RecordStore else { return [] }
    return store.lostAccounts(of: configuration.clientID)
  }

  /// Removes what is left of an account.
  package func forget(_ account: LostAccount) async throws(AuthenticationError) {
    try await memory.store.delete(id: account.record)
  }
}

extension PublicClientApplicationConfiguration {
  /// Whether an account belongs to the app's authority: same cloud, or same host.
  package func isAccount(_ account: Account) -> Bool {
    let authority = authority(of: account)
    return account.environment == authority.cacheEnvironment
      || account.key == AccountKey(account.homeAccountID, at: authority)
  }

  /// Whether an app has the same client ID, and so the same accounts when both keep them in one place.
  package func hasClientID(of other: Self) -> Bool { caselessEqual(clientID, other.clientID) }
}
