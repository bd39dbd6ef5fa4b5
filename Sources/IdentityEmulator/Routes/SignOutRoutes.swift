import HTTPTypes

/// RP-initiated logout (OpenID Connect RP-Initiated Logout 1.0).
struct SignOutRoutes: Sendable {
  let emulator: Emulator

  func add(to router: inout Router) {
    for path in Endpoint.endSession.routes { router.get(path, use: signOut) }
  }

  private func signOut(_ request: Request) async throws -> Response {
    let query = request.queryForm
    let kind = emulator.directory.authority(path: request.path, query: query)?.kind ?? .entra
    // Only Entra accepts a user name as a hint; other kinds need the ID token.
    let username =
      kind.isMicrosoftEntra
      ? query["logout_hint"] : await emulator.username(idToken: query["id_token_hint"])
    let isEmpty = await emulator.signOut(
      sessionID: request.cookie(BrowserSession.cookieName), logoutHint: username)
    var response = Page.signedOut.response()
    if let uri = query["post_logout_redirect_uri"],
      await allowsRedirect(
        to: uri, kind: kind, isKnown: username != nil, client: query["client_id"])
    {
      var form = Form()
      form["state"] = query["state"]
      await emulator.faults.edit(\.signOut, &form)
      response = .found(uri + (form.fields.isEmpty ? "" : "?" + form.encoded))
    }
    if isEmpty { response.headers[.setCookie] = BrowserSession.expiredCookie }
    return response
  }

  /// Whether a sign-out redirects to `uri`; otherwise it ends on its own page, without an error.
  ///
  /// - Parameter isKnown: whether the request identified the user.
  private func allowsRedirect(
    to uri: String, kind: AuthorityKind, isKnown: Bool, client clientID: String?
  ) async -> Bool {
    let directory = await emulator.currentDirectory
    let isRegistered = directory.clients.contains { $0.allows(redirectURI: uri) }
    return switch kind {
    // Without a client ID, any registered URI is accepted.
    case .entra, .externalID, .b2c: isRegistered
    case .adfs: isRegistered && isKnown
    case .oidc:
      isKnown && isRegistered
        || clientID.flatMap { directory.client($0) }?.allows(redirectURI: uri) == true
    }
  }
}
