/// Other programs' accounts.
extension PublicClientApplication {
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
        log.warning("An account provider failed to list accounts: \(error)")
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
  func updateExternalProviders(of account: Account) async {
    for provider in externalProviders {
      do throws(AuthenticationError) {
        try await provider.update(account)
      } catch {
        log.warning("An account provider failed to record a sign-in: \(error)")
      }
    }
  }

  /// Informs the providers of a sign-out.
  ///
  /// - Parameter left: gets the accounts of which one was not informed.
  /// - Throws: the error of the first that failed; the others are informed anyway.
  func removeFromExternalProviders(
    _ accounts: [Account], wipesAccount: Bool, left: inout [Account]
  ) async throws(AuthenticationError) {
    var failure: AuthenticationError?
    for account in accounts {
      var isLeft = false
      for provider in externalProviders {
        do throws(AuthenticationError) {
          try await provider.remove(account, wipesAccount: wipesAccount)
        } catch {
          isLeft = true
          failure = failure ?? error
        }
      }
      if isLeft { left.append(account) }
    }
    if let failure { throw failure }
  }
}
