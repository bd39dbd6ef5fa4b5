import AuthCore
import Connections
import Localization

// Tokens for the connection's API, for the current account.
extension AccountModel {
  /// Adds a token to the activity; `line` is before it in the log.
  func add(_ result: AuthenticationResult, _ line: String) {
    let scopes = result.scopes.sorted().joined(separator: " ")
    activity.add(
      .token, LogMessage(naming(result, [line]), token: result.accessToken),
      account: result.account.username, title: tr("Access token for {scopes}", ["scopes": scopes]))
  }

  func acquireToken() async -> AuthenticationResult? {
    await updateAccount()
    guard let account else { return await acquireTokenInteractively(for: nil) }
    return await acquireTokenSilently(for: account)
  }

  /// Acquires a token from the cache or the server, or interactively if necessary.
  func acquireTokenSilently(
    for account: Account, claims: ClaimsRequest? = nil, forceRefresh: Bool = false
  ) async -> AuthenticationResult? {
    var parameters = SilentTokenParameters(scopes: connection.scopes, account: account)
    parameters.claims = claims
    parameters.authority = accounts.tenantAuthority
    parameters.forceRefresh = forceRefresh
    logStep(tr("Acquiring token silently..."))
    do throws(AuthenticationError) {
      let result = try await application.acquireTokenSilent(parameters)
      guard isOfSelectedAccount(result) else { return nil }
      accounts.noteSignIn(isNeeded: false)
      let line = tr("Refreshed Access token is {token}", ["token": ""])
      add(result, line)
      checkClock(result)
      await updateStorageNotice()
      return result
    } catch {
      if error.code != .interactionRequired {
        log(tr("Could not acquire token silently: {error}", ["error": error.sentence]), error)
      }
      if error.code == .interactionRequired { accounts.noteSignIn(isNeeded: true) }
      guard error.code.nextStep == .signIn else {
        await updateStorageNotice()
        return nil
      }
      return await acquireTokenInteractively(for: account, claims: error.claims ?? claims)
    }
  }
}
