import FoundationEssentials

/// The accounts that are signed in.
extension PublicClientApplication {
  /// The accounts that are known here, the last to sign in first.
  ///
  /// They are followed by the accounts that only this computer's identity broker knows
  /// (``Account/isFromBroker``); silent requests can acquire tokens for them too.
  /// - Parameter filter: selects accounts; by default, all.
  public nonisolated func accounts(_ filter: AccountFilter = AccountFilter()) async -> [Account] {
    guard broker?.givesTokens == true else { return await ownAccounts(filter) }
    // Queries the broker while the store is read.
    async let brokers = brokerAccounts()
    let own = await ownAccounts(filter)
    let all = memory.accounts
    return own + (await brokers).filter { !all.contains($0) && filter.matches($0) }
  }

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

  /// Whether an account belongs to the app's authority: same cloud, or same host.
  package nonisolated func isAccount(_ account: Account) -> Bool {
    let environment = configuration.authority.cacheEnvironment
    return account.environment == environment
      || account.key
        == AccountKey(homeAccountID: account.id, environment: environment)
  }

  /// The account with an ``Account/id``; nil when it is not known here.
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
    return CurrentAccount(current: current, previous: lastReported == current ? nil : lastReported)
  }

  // MARK: - Other programs' accounts

  /// The accounts that other programs know and this app does not, without duplicates, in the order
  /// of the providers.
  ///
  /// Let the user choose one, and use its ``ExternalAccount/username`` as the login hint of an
  /// interactive request. A provider that fails lists nothing.
  public func externalAccounts() async -> [ExternalAccount] {
    let own = await accounts()
    var found: [ExternalAccount] = []
    for provider in externalProviders {
      let accounts: [ExternalAccount]
      do throws(AuthenticationError) {
        accounts = try await provider.accounts()
      } catch {
        log.warning("A provider of accounts lists none: \(error)")
        continue
      }
      for account in accounts
      where !own.contains(where: account.stands) && !found.contains(account) {
        found.append(account)
      }
    }
    return found
  }

  /// Informs the providers of a sign-in.
  func tellExternalProviders(of account: Account) async {
    for provider in externalProviders {
      do throws(AuthenticationError) {
        try await provider.update(account)
      } catch {
        log.warning("A provider of accounts was not told of a sign-in: \(error)")
      }
    }
  }

  /// Informs the providers of a sign-out.
  ///
  /// - Throws: the error of the first that failed; the others are informed anyway.
  func removeFromExternalProviders(
    _ accounts: [Account], wipesAccount: Bool
  ) async throws(AuthenticationError) {
    var failure: AuthenticationError?
    for provider in externalProviders {
      for account in accounts {
        do throws(AuthenticationError) {
          try await provider.remove(account, wipesAccount: wipesAccount)
        } catch {
          failure = failure ?? error
        }
      }
    }
    if let failure { throw failure }
  }
}
