import FoundationEssentials

/// Who is signed in.
extension PublicClientApplication {
  /// The accounts in the cache, the one that signed in last first.
  ///
  /// Those that only this computer's identity broker knows come behind them
  /// (``Account/isFromBroker``): silent requests acquire tokens for them, too.
  /// - Parameter filter: which of them; all when left out.
  public nonisolated func accounts(_ filter: AccountFilter = AccountFilter()) async -> [Account] {
    guard broker?.givesTokens == true else { return await ownAccounts(filter) }
    // The broker is looked for while the store is read.
    async let brokers = brokerAccounts()
    let own = await ownAccounts(filter)
    let all = memory.accounts
    return own + (await brokers).filter { !all.contains($0) && filter.matches($0) }
  }

  /// The account with an ``Account/id``; nil when there is none here.
  public nonisolated func account(identifier: String) async -> Account? {
    // One record is read, and not all of them.
    await memory.load(.identifier(identifier))
    if let account = memory.account(identifier: identifier) { return account }
    return await brokerAccounts().first { $0.id == identifier }
  }

  /// The accounts with a user name, in any case of letters: one, several when the name stands in more
  /// than one tenant, or none.
  public func accounts(username: String) async -> [Account] {
    await accounts(AccountFilter(username: username))
  }

  /// The account that signed in last, and the one that the previous call reported if that was another.
  ///
  /// One that only the identity broker knows has not signed in here, and may have signed out here.
  ///
  /// Apps on shared devices ask this when they come to the foreground, to notice that people changed. The
  /// next run of the app does not know who was there before: that would be to keep what somebody left
  /// behind who signed out.
  public func currentAccount() async -> CurrentAccount {
    let current = await ownAccounts().first
    // It is kept for longer than the account is: without what its tokens say.
    defer { lastReported = current?.withoutClaims }
    return CurrentAccount(current: current, previous: lastReported == current ? nil : lastReported)
  }

  /// What `account` is in the tenant that its tokens come from: there it is at home, or a guest.
  ///
  /// Nil when it has not signed in to that tenant yet. Where an authority stands for many tenants, tokens
  /// come from the account's own.
  public nonisolated func tenantProfile(of account: Account) -> TenantProfile? {
    guard let known = memory.known(account),
      let realm = known.record.realm(for: configuration.authority(of: account))
    else { return nil }
    return known.account.tenantProfiles.first { $0.tenantID == realm }
  }

  // MARK: - For this package

  /// The accounts that are kept here, without those that only the identity broker knows.
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

  /// Whether an account is one at the app's authority: in the same cloud, or at the same host.
  package nonisolated func isAccount(_ account: Account) -> Bool {
    let environment = configuration.authority.cacheEnvironment
    return account.environment == environment
      || account.key
        == AccountKey(homeAccountID: account.id, environment: environment)
  }
}
