import AuthCore
import Connections
import Localization

// Signs in with the user.
extension AccountModel {
  /// Acquires a token with the user, by the way that they prefer or have just chosen.
  func acquireTokenInteractively(
    for account: Account?, claims: ClaimsRequest? = nil
  ) async -> AuthenticationResult? {
    var parameters = SignInParameters(scopes: connection.scopes)
    parameters.account = account
    parameters.prompt = account == nil ? .selectAccount : .promptIfNecessary
    parameters.claims = claims
    logStep(tr("Acquiring token interactively..."))
    state.activity = .signingIn
    let signIn = SignIn(
      parameters, by: chosenWay, with: application, at: connection, on: desktop
    ) { [weak self] in self?.state.signIn = $0 }
    self.signIn = signIn
    defer {
      self.signIn = nil
      state.signIn = nil
      state.activity = .callingGraph
    }
    do throws(AuthenticationError) {
      let result = try await signIn.run()
      append(LogMessage(tr("Access token is {token}", ["token": ""]), token: result.accessToken))
      warnOfClock(result)
      await updateAccount()
      return result
    } catch {
      log(
        tr("Could not acquire token: {error}", ["error": error.sentence]), error,
        signIn: tr("Choose “Call Microsoft Graph API” to sign in again."))
      if error.code == .userCanceled { toasts.tell(tr("Sign-in canceled")) }
      if error.code.nextStep == .signInAnotherWay {
        state.notices.append(.otherWays(ways.filter { $0 != signIn.way }, error))
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
