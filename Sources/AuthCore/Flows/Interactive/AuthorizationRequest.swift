import Sentences

/// The authorization request (RFC 6749, section 4.1.1; RFC 7636; OpenID Connect Core, section
/// 3.1.2.1), with the values that the response is checked against.
struct AuthorizationRequest: Sendable {
  /// Binds the redirect to this request; 256 random bits.
  let state: Secret<String>
  /// Binds the ID token to this request; 256 random bits.
  let nonce: Secret<String>
  /// Binds the code to this request.
  let pkce: PKCE
  /// The whole URL to open.
  let url: String

  /// The longest URL that is opened, in bytes: servers reject longer ones without an explanation.
  static let maximumLength = 8192

  /// Parameters that a caller cannot set, because the flow depends on them.
  static let reservedParameters: Set<String> = [
    "claims", "client_id", "client_info", "client_secret", "client-request-id", "code",
    "code_challenge", "code_challenge_method", "code_verifier", "domain_hint", "domain_req",
    "grant_type", "instance_aware", "login_hint", "login_req", "nonce", "prompt", "redirect_uri",
    "request",
    "request_uri", "response_mode", "response_type", "scope", "state",
  ]

  /// Creates the request.
  ///
  /// - Parameter hasChoice: whether there may be several accounts to choose from.
  init(
    client: PublicClientApplicationConfiguration, parameters: InteractiveTokenParameters,
    kind: Authority.Kind, configuration: OpenIDConfiguration, hasChoice: Bool,
    correlationID: String, randomBytes: (Int) -> [UInt8]
  ) throws(AuthenticationError) {
    if let name = FormEncoding.reservedName(
      in: parameters.extraQueryParameters.keys, Self.reservedParameters)
    {
      throw AuthenticationError(
        .invalidParameter,
        Sentence(
          "“{name}” cannot be an extra query parameter: the sign-in sets it.", ["name": name]))
    }
    state = Secret(Base64URL.encode(randomBytes(32)))
    nonce = Secret(Base64URL.encode(randomBytes(32)))
    pkce = PKCE(randomBytes: randomBytes(32))

    var query: [FormEncoding.Parameter] = [
      ("client_id", client.clientID),
      ("response_type", "code"),
      (
        "response_mode",
        configuration.responseMode(for: kind, isLoopback: client.redirectURI.isLoopback)
      ),
      ("redirect_uri", client.redirectURI.description),
      (
        "scope",
        Scopes(parameters.scopes).adding(configuration.openIDScopes)
          .adding(parameters.extraScopesToConsent).joined
      ),
      ("state", state.exposed),
      ("nonce", nonce.exposed),
      ("code_challenge", pkce.challenge),
      ("code_challenge_method", "S256"),
    ]
    if kind.hasClientInfo { query.append(("client_info", "1")) }
    if kind == .entra, client.multipleCloudsSupported {
      query.append(("instance_aware", "true"))
    }
    query.append(("client-request-id", correlationID))
    if let prompt = try configuration.prompt(
      parameters.prompt, for: kind, hasChoice: hasChoice)
    {
      query.append(("prompt", prompt))
    }
    if let hint = parameters.account?.username ?? parameters.loginHint,
      hint != IDToken.missingUsername
    {
      query.append(("login_hint", hint))
    }
    if kind.hasClientInfo, let id = parameters.account?.homeAccountID {
      query.append(("login_req", id.objectID))
      query.append(("domain_req", id.tenantID))
    }
    if let hint = parameters.domainHint { query.append(("domain_hint", hint)) }
    if let claims = ClaimsRequest.parameter(
      parameters.claims, capabilities: client.clientCapabilities)
    {
      query.append(("claims", claims))
    }
    for (name, value) in parameters.extraQueryParameters.sorted(by: { $0.key < $1.key }) {
      query.append((name, value))
    }

    url = FormEncoding.url(configuration.authorizationEndpoint, adding: query)
    guard url.utf8.count <= Self.maximumLength else {
      throw AuthenticationError(
        .invalidParameter,
        Sentence("The sign-in request is too long: request fewer permissions or claims at once."))
    }
  }
}

/// Adapts request parameters to what the service supports.
extension OpenIDConfiguration {
  /// The response mode.
  ///
  /// With `form_post`, the code appears neither in the browser's history nor in its address bar; a
  /// custom scheme can only receive a URL. Other services support the query best, which is the
  /// default (OAuth 2.0 Multiple Response Type Encoding Practices, section 2.1).
  fileprivate func responseMode(for kind: Authority.Kind, isLoopback: Bool) -> String {
    guard isLoopback, let responseModes, responseModes.contains("form_post") else { return "query" }
    return kind == .oidc && responseModes.contains("query") ? "query" : "form_post"
  }

  /// The value of `prompt`; nil to omit it.
  ///
  /// `select_account` is only a convenience, and some services show their account picker forever:
  /// those that do not support it, and those that show it again after each consent. So it is
  /// omitted unless it is offered and there may be a choice. A prompt that the caller requires is
  /// not omitted.
  ///
  /// Microsoft's own services always get it, as from all MSALs: a broker or the browser may sign in
  /// an account that this app does not know, and their picker returns.
  fileprivate func prompt(
    _ prompt: Prompt, for kind: Authority.Kind, hasChoice: Bool
  ) throws(AuthenticationError) -> String? {
    guard kind == .oidc, let name = prompt.parameter else { return prompt.parameter }
    let isOffered = prompts?.contains(name) == true
    switch prompt.known {
    case .promptIfNecessary: return nil
    case .selectAccount: return isOffered && hasChoice ? name : nil
    // Every provider supports these two, listed or not (OpenID Connect Core 1.0, section 15.1).
    case .login, .consent: if isOffered || prompts == nil { return name }
    case .create: if isOffered { return name }
    }
    throw AuthenticationError(
      .invalidParameter,
      Sentence("This sign-in service does not support the prompt “{name}”.", ["name": name]),
      step: .authorization)
  }
}
