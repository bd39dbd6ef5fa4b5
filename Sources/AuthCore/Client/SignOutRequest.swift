/// The request that ends a browser session (OpenID Connect RP-Initiated Logout 1.0, section 2).
struct SignOutRequest {
  /// What to show.
  let page: WebAuthenticationRequest
  private let state: Secret<String>

  /// Makes the request.
  ///
  /// - Throws: when the authority has no sign-out page.
  init(
    client: PublicClientApplicationConfiguration, endpoint: String?, record: AccountRecord?,
    state: Secret<String>
  ) throws(AuthenticationError) {
    guard let endpoint else {
      throw AuthenticationError(
        .serverError, "This sign-in service has no sign-out page. You are signed out of this app.",
        step: .signOut)
    }
    var query: [FormEncoding.Parameter] = [
      ("post_logout_redirect_uri", client.redirectURI.description),
      ("state", state.exposed),
    ]
    if client.authority.kind.signsOutByIDToken {
      query.append(("client_id", client.clientID))
      if let token = record?.idTokens.first?.secret {
        query.append(("id_token_hint", token.exposed))
      }
    } else if let hint = record?.logoutHint {
      query.append(("logout_hint", hint))
    }
    let separator = endpoint.contains("?") ? "&" : "?"
    page = WebAuthenticationRequest(
      startURL: endpoint + separator + FormEncoding.query(query),
      redirectURI: client.redirectURI, prefersEphemeralSession: false)
    self.state = state
  }

  /// Throws unless the redirect answers this request.
  func check(redirect url: String) throws(AuthenticationError) {
    let query = url.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
    let state = FormEncoding.parse(query)?.first { $0.name == "state" }?.value ?? ""
    guard constantTimeEqual(state, self.state.exposed) else {
      throw AuthenticationError(
        .invalidState, "The sign-out page's answer belongs to another request.", step: .signOut)
    }
  }
}

extension AccountRecord {
  /// Tells the sign-out page which account it is, so that it need not ask: the `login_hint` claim, which
  /// says nothing to others.
  var logoutHint: String? {
    idTokens.lazy.compactMap { try? IDToken($0.secret.exposed) }.compactMap { $0["login_hint"] }
      .first
  }
}
