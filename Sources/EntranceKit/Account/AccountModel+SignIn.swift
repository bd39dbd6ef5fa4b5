import AuthCore
import Connections
import Localization

// Signs in with the user.
extension AccountModel {
  /// Acquires a token in the sign-in pages.
  func acquireTokenInteractively(
    for account: Account?, claims: ClaimsRequest? = nil
  ) async -> AuthenticationResult? {
    var parameters = InteractiveTokenParameters(
      scopes: connection.scopes, session: makeSession())
    parameters.account = account
    parameters.prompt = account == nil ? .selectAccount : .promptIfNecessary
    parameters.claims = claims
    parameters.prefersEphemeralSession = !preferences.keepsWebSession
    logStep(tr("Acquiring token interactively..."))
    state.activity = .signingIn
    defer { state.activity = .callingGraph }
    do throws(AuthenticationError) {
      let result = try await application.acquireToken(parameters)
      append(LogMessage(tr("Access token is {token}", ["token": ""]), token: result.accessToken))
      warnOfClock(result)
      await updateAccount()
      return result
    } catch {
      log(
        tr("Could not acquire token: {error}", ["error": error.sentence]), error,
        signIn: tr("Choose “Call Microsoft Graph API” to sign in again."))
      await updateAccount()
      return nil
    }
  }
}
