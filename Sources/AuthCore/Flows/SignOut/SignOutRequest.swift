import Sentences

/// The request that ends a browser session (OpenID Connect RP-Initiated Logout 1.0, section 2).
struct SignOutRequest {
  /// The page to show.
  let page: WebAuthenticationRequest
  private let state: Secret<String>

  /// Parameters that a caller cannot set, because the sign-out sets them.
  private static let reservedParameters: Set<String> = [
    "client_id", "id_token_hint", "logout_hint", "post_logout_redirect_uri", "state",
  ]

  /// Throws when `parameters` contains a reserved one.
  static func check(extraQueryParameters parameters: [String: String]) throws(AuthenticationError) {
    if let name = FormEncoding.reservedName(in: parameters.keys, reservedParameters) {
      throw AuthenticationError(
        .invalidParameter,
        Sentence(
          "“{name}” cannot be an extra query parameter: the sign-out sets it.", ["name": name]))
    }
  }

  /// Creates the request.
  ///
  /// - Parameter record: the account's stored data; it identifies the account, so that the page
  ///   need not ask. nil when the page is to ask.
  /// - Throws: when the authority has no sign-out page.
  init(
    client: PublicClientApplicationConfiguration, authority: Authority, endpoint: String?,
    record: AccountRecord?, extraQueryParameters: [String: String], state: Secret<String>
  ) throws(AuthenticationError) {
    guard let endpoint else {
      throw AuthenticationError(
        .serverError,
        Sentence("This sign-in service has no sign-out page: the browser stays signed in."),
        step: .signOut)
    }
    var query: [FormEncoding.Parameter] = [
      ("post_logout_redirect_uri", client.redirectURI.description),
      ("state", state.exposed),
    ]
    for (name, value) in extraQueryParameters.sorted(by: { $0.key < $1.key }) {
      query.append((name, value))
    }
    if authority.kind.signsOutByIDToken { query.append(("client_id", client.clientID)) }
    var url = FormEncoding.url(endpoint, adding: query)
    if let hint = record?.signOutHint(at: authority) {
      let longer = FormEncoding.url(url, adding: [hint])
      // Without a hint, the page asks which account to sign out; a URL that is too long would be
      // rejected.
      if longer.utf8.count <= AuthorizationRequest.maximumLength { url = longer }
    }
    page = WebAuthenticationRequest(
      startURL: url, redirectURI: client.redirectURI, prefersEphemeralSession: false)
    self.state = state
  }

  /// Throws unless the redirect belongs to this request.
  func check(redirect url: String) throws(AuthenticationError) {
    let query = FormEncoding.query(of: url) ?? ""
    let state = FormEncoding.parse(query)?.first { $0.name == "state" }?.value ?? ""
    guard constantTimeEqual(state, self.state.exposed) else {
      throw AuthenticationError(
        .invalidState, Sentence("The sign-out page’s response belongs to another request."),
        step: .signOut)
    }
  }
}

extension AccountRecord {
  /// The ID token that identifies the account to the sign-out page of `authority`.
  func signOutToken(at authority: Authority) -> Secret<String>? {
    let realm = realm(for: authority)
    return (idTokens.first { $0.realm == realm } ?? idTokens.last)?.secret
  }

  /// The parameter that identifies the account to the sign-out page of `authority`.
  ///
  /// Microsoft's clouds accept the `login_hint` claim, which reveals no name but exists only when
  /// the app registration requests it. All services accept the ID token, even if it has expired.
  fileprivate func signOutHint(at authority: Authority) -> FormEncoding.Parameter? {
    guard let text = signOutToken(at: authority)?.exposed else { return nil }
    if !authority.kind.signsOutByIDToken, let hint = (try? IDToken(text))?["login_hint"] {
      return ("logout_hint", hint)
    }
    return ("id_token_hint", text)
  }
}
