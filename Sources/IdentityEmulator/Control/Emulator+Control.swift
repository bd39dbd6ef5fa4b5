/// What tests in the same process can look at and change.
extension Emulator {
  /// The requests answered so far.
  ///
  /// They hold secrets; their descriptions do not.
  public var requests: [RecordedRequest] {
    get async { await server?.state.requests ?? [] }
  }

  /// How many requests each route has answered: `"POST /{tenant}/oauth2/v2.0/token": 2`.
  public var requestCounts: [String: Int] {
    get async { await server?.state.requestCounts ?? [:] }
  }

  /// Forgets the requests answered so far.
  public func forgetRequests() async { await server?.state.forgetRequests() }

  /// Makes Graph refuse every access token given out so far.
  public func expireAccessTokens() async { await server?.state.expireAccessTokens() }

  /// Makes the token endpoint refuse every authorization code given out so far.
  public func expireAuthorizationCodes() async {
    await server?.state.expireAuthorizationCodes()
  }

  /// Makes the token endpoint refuse every device code given out so far.
  public func expireDeviceCodes() async { await server?.state.expireDeviceCodes() }

  /// Makes the token endpoint refuse every refresh token of a user given out so far.
  public func revokeRefreshTokens(of username: String) async {
    await server?.state.revokeRefreshTokens(of: username)
  }

  /// Changes the lifetime of access tokens made from now on.
  public func setTokenLifetime(_ seconds: Int) async {
    await server?.state.setTokenLifetime(seconds)
  }

  /// Changes how authorization responses reach the redirect URI.
  public func setRedirectDelivery(_ delivery: RedirectDelivery) async {
    await server?.state.setRedirectDelivery(delivery)
  }

  /// Changes how it misbehaves from now on.
  public func setFaults(_ faults: Set<Fault>) async { await server?.state.setFaults(faults) }

  /// Answers requests to a route, named as in ``requestCounts`` without the method, only after
  /// `delay`.
  public func setDelay(_ delay: Duration, route: String) async {
    await server?.state.setDelay(delay, route: route)
  }

  /// Puts `reply` in place of the token endpoint's next answer.
  ///
  /// Several are given in turn.
  public func prepareTokenReply(_ reply: CannedReply) async {
    await server?.state.prepareTokenReply(reply)
  }

  /// Why ``signIn(_:at:)`` came to no redirect.
  public struct SignInRefused: Error, Sendable {
    /// What the page says: the number behind `AADSTS` and its sentence.
    public let message: String
  }

  /// Goes through the pages behind `authorizationURL` as the person `username` would, in a browser
  /// without cookies.
  ///
  /// - Returns: the URL of the redirect that ends the sign-in, with a code or with an error.
  /// - Throws: ``SignInRefused`` when the emulator shows an error page instead.
  public func signIn(_ username: String, at authorizationURL: String) async throws -> String {
    guard let server else { throw SignInRefused(message: "The emulator does not run.") }
    return try await server.state.signIn(username, at: authorizationURL)
  }
}
