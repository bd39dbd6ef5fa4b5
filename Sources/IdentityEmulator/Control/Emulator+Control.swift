public import FoundationEssentials

/// Inspects and controls the emulator in tests of the same process.
extension Emulator {
  /// The last requests: up to 10,000, of 16 MiB altogether.
  ///
  /// They contain secrets; their descriptions do not.
  public var requests: [RecordedRequest] {
    get async { await server?.state.requests ?? [] }
  }

  /// The number of all requests for each route: `"POST /{tenant}/oauth2/v2.0/token": 2`.
  public var requestCounts: [String: Int] {
    get async { await server?.state.requestCounts ?? [:] }
  }

  /// Clears the list of requests, and their numbers.
  public func forgetRequests() async { await server?.state.forgetRequests() }

  /// Makes Graph reject every access token issued so far.
  public func expireAccessTokens() async { await server?.state.expireAccessTokens() }

  /// Makes the token endpoint reject every authorization code issued so far.
  public func expireAuthorizationCodes() async {
    await server?.state.expireAuthorizationCodes()
  }

  /// Makes the token endpoint reject every device code issued so far.
  public func expireDeviceCodes() async { await server?.state.expireDeviceCodes() }

  /// Makes the token endpoint reject every refresh token of a user issued so far.
  public func revokeRefreshTokens(of username: String) async {
    await server?.state.revokeRefreshTokens(of: username)
  }

  /// Sets the lifetime of access tokens issued from now on.
  public func setTokenLifetime(_ seconds: Int) async {
    await server?.state.setTokenLifetime(seconds)
  }

  /// Sets how authorization responses reach the redirect URI.
  public func setRedirectDelivery(_ delivery: RedirectDelivery) async {
    await server?.state.setRedirectDelivery(delivery)
  }

  /// Replaces the active faults.
  public func setFaults(_ faults: Set<Fault>) async { await server?.state.setFaults(faults) }

  /// Delays the replies of a route, named as in ``requestCounts`` without the method.
  public func setDelay(_ delay: Duration, route: String) async {
    await server?.state.setDelay(delay, route: route)
  }

  /// Replaces the token endpoint's next reply by `reply`.
  ///
  /// Several are used in order.
  public func prepareTokenReply(_ reply: CannedReply) async {
    await server?.state.prepareTokenReply(reply)
  }

  /// Replaces Microsoft Graph's next reply by `reply`.
  ///
  /// Several are used in order.
  ///
  /// - Parameters:
  ///   - reply: the reply.
  ///   - path: the path whose reply is replaced, such as `/me/messages`; nil for any.
  public func prepareGraphReply(_ reply: CannedReply, for path: String? = nil) async {
    await server?.state.prepareGraphReply(reply, path: path)
  }

  /// Replaces the next reply of the addresses that files are downloaded from and uploaded to.
  ///
  /// Several are used in order.
  public func prepareTransferReply(_ reply: CannedReply) async {
    await server?.state.prepareTransferReply(reply)
  }

  /// Puts a file into a user's drive, at a path such as `Documents/Plan.txt`.
  public func addFile(
    _ path: String, _ content: Data, of username: String = "adele@contoso.example"
  ) async {
    try? await server?.state.addFile(path, Array(content), to: username)
  }

  /// The content of a file of a user's drive; nil when there is none.
  public func file(_ path: String, of username: String = "adele@contoso.example") async -> Data? {
    await server?.state.file(path, of: username).map { Data($0) }
  }

  /// Ends all uploads that have begun, as if their time were over.
  public func expireUploads() async { await server?.state.expireUploads() }

  /// The number of uploads that have begun and not ended.
  public var uploadCount: Int {
    get async { await server?.state.graph.uploads.count ?? 0 }
  }

  /// Deletes a user of the directory; delta queries tell it.
  public func deleteUser(_ username: String) async { await server?.state.deleteUser(username) }

  /// Makes Microsoft Graph answer every delta token issued so far with 410.
  public func forgetDeltaTokens() async { await server?.state.forgetDeltaTokens() }

  /// Signs `username` in with a code of another device, like a browser at the address that comes
  /// with the code.
  ///
  /// - Throws: ``SignInRefused`` when the code is not known, or the emulator shows an error page.
  public func enterDeviceCode(_ code: String, as username: String) async throws {
    guard let server else { throw SignInRefused(message: "The emulator does not run.") }
    try await server.state.enterDeviceCode(code, as: username)
  }

  /// Why ``signIn(_:at:)`` ended without a redirect.
  public struct SignInRefused: LocalizedError, Sendable {
    /// The message of the error page: the `AADSTS` number and its sentence.
    public let message: String

    /// The message, which is also `localizedDescription`.
    public var errorDescription: String? { message }
  }

  /// Signs `username` in with the pages of `authorizationURL`, like a browser without cookies.
  ///
  /// - Returns: the redirect URL that ends the sign-in, with a code or an error.
  /// - Throws: ``SignInRefused`` when the emulator shows an error page instead.
  public func signIn(_ username: String, at authorizationURL: String) async throws -> String {
    guard let server else { throw SignInRefused(message: "The emulator does not run.") }
    return try await server.state.signIn(username, at: authorizationURL)
  }
}
