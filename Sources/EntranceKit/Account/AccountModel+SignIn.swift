import AuthCore
import Connections
import Localization

// Signs in with the user.
extension AccountModel {
  /// Acquires a token in the sign-in pages.
  ///
  /// - Parameters:
  ///   - account: the selected account; nil to select the account that signs in.
  ///   - organization: a tenant to select for the account; nil for the selected one.
  func acquireTokenInteractively(
    for account: Account?, claims: ClaimsRequest? = nil, organization: Authority? = nil
  ) async -> AuthenticationResult? {
    var parameters = InteractiveTokenParameters(
      scopes: connection.scopes, session: makeSession())
    parameters.account = account
    parameters.prompt = account == nil ? .selectAccount : .promptIfNecessary
    parameters.claims = claims
    parameters.authority = organization ?? (account == nil ? nil : tenantAuthority)
    logStep(tr("Acquiring token interactively..."))
    let activity = state.activity
    state.activity = .signingIn
    defer { state.activity = activity }
    do throws(AuthenticationError) {
      let result = try await application.acquireToken(parameters)
      let isAccepted = accept(result, for: account, selectsTenant: organization != nil)
      await updateAccount()
      guard isAccepted else { return nil }
      let line = tr("Access token is {token}", ["token": ""])
      append(LogMessage(naming(result, [line]), token: result.accessToken))
      warnOfClock(result)
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
