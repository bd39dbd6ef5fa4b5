/// Accounts of other programs.
extension PublicClientApplication {
  /// The accounts that other programs know and this app does not: each once, in the order of the
  /// providers.
  ///
  /// They are for the person to choose from; ``ExternalAccount/username`` is the login hint of the
  /// request that signs them in. A provider that fails lists nothing.
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

  /// Tells the providers who signed in.
  func tellExternalProviders(of account: Account) async {
    for provider in externalProviders {
      do throws(AuthenticationError) {
        try await provider.update(account)
      } catch {
        log.warning("An account provider failed to record a sign-in: \(error)")
      }
    }
  }

  /// Tells the providers who signed out.
  ///
  /// - Throws: the error of the first that failed; the others were told all the same.
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
