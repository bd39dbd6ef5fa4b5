import AuthCore
import Connections
import Localization

// Signs in with the user.
extension AccountModel {
  /// Acquires a token with the user, by the way that they prefer or have just chosen.
  ///
  /// - Parameters:
  ///   - account: the selected account; nil to select the account that signs in.
  ///   - organization: a tenant to select for the account; nil for the selected one.
  func acquireTokenInteractively(
    for account: Account?, claims: ClaimsRequest? = nil, organization: Authority? = nil
  ) async -> AuthenticationResult? {
    if await warnsOfStorage() { return nil }
    var parameters = SignInParameters(scopes: connection.scopes)
    parameters.account = account
    parameters.prompt = account == nil ? .selectAccount : .promptIfNecessary
    parameters.claims = claims
    parameters.authority = organization ?? (account == nil ? nil : accounts.tenantAuthority)
    parameters.prefersEphemeralSession = !preferences.keepsWebSession
    logStep(tr("Acquiring token interactively..."))
    let activity = state.activity
    state.activity = .signingIn
    let signIn = SignIn(
      parameters, by: chosenWay, with: application, at: connection, on: desktop
    ) { [weak self] in self?.state.signIn = $0 }
    self.signIn = signIn
    defer {
      self.signIn = nil
      state.signIn = nil
      state.activity = activity
    }
    do throws(AuthenticationError) {
      let result = try await signIn.run()
      let isAccepted = accept(result, for: account, selectsTenant: organization != nil)
      await updateAccount()
      guard isAccepted else { return nil }
      let line = tr("Access token is {token}", ["token": ""])
      add(result, line)
      tell(tr("Signed in as {username}.", ["username": result.account.username]))
      checkClock(result)
      return result
    } catch {
      log(
        tr("Could not acquire token: {error}", ["error": error.sentence]), error,
        signIn: tr("Choose “Call Microsoft Graph API” to sign in again."))
      if error.code == .userCanceled {
        toasts.tell(error.isDeclined ? tr("Sign-in declined") : tr("Sign-in canceled"))
      }
      await updateAccount()
      return nil
    }
  }

  private var chosenWay: SignInWay {
    let way = wayAskedFor ?? desktop.preferredWay
    return ways.contains(way) ? way : .browser
  }

  /// The ways that the connection can be used with.
  public var ways: [SignInWay] {
    connection.application.redirectURI.isLoopback ? [.browser, .code] : SignInWay.allCases
  }

  // MARK: - Actions of the page and the dialogs

  /// *Use Browser*, *Use a Code*, *Sign In Here*: changes the way of the sign-in in progress, or signs
  /// in by that way and calls the API.
  @discardableResult
  public func signIn(by way: SignInWay) -> Task<Void, Never>? {
    guard let signIn else { return callGraph(signingInBy: way) }
    signIn.use(way)
    return nil
  }

  /// *Open Again*: opens the sign-in page in the browser again.
  public func openBrowserAgain() { signIn?.openBrowserAgain() }

  /// Ends the wait for the browser with a redirect that the desktop or the user passes in.
  ///
  /// - Returns: whether it is the response that the sign-in in progress waits for; otherwise it has no
  ///   effect.
  public func resumeSignIn(with url: String) -> Bool { signIn?.resume(with: url) ?? false }
}
