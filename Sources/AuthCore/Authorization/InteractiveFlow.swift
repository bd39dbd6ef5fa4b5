import CurlHTTP
import FoundationEssentials

/// An interactive request, from the authority to checked tokens (RFC 6749, section 4.1).
///
/// It does nothing itself. Each call takes in what came, and says what to do next; whoever drives it
/// does that and comes back with the outcome:
///
///     describeAuthority → showPages → requestTokens → finish
///
/// When the pages find the account in another cloud, that is described before its tokens are requested.
struct InteractiveFlow: Sendable {
  /// What to do next.
  enum Action: Sendable {
    /// Get the authority's OpenID configuration.
    case describeAuthority(Authority)
    /// Show the sign-in pages and wait for the redirect.
    case showPages(WebAuthenticationRequest)
    /// Send the form to the token endpoint.
    case requestTokens(TokenRequest)
    /// Keep the tokens; the flow is over.
    case finish(TokenGrant)
  }

  private enum State {
    case ready
    case describingAuthority
    case showingPages(AuthorizationRequest, OpenIDConfiguration, since: Date)
    case describingCloud(AuthorizationRequest, AuthorizationResponse)
    case requestingTokens(AuthorizationRequest, OpenIDConfiguration, ProofKey?)
    case finished
  }

  private let client: PublicClientApplicationConfiguration
  private let parameters: InteractiveTokenParameters
  /// Who is asked: another cloud, once the pages have told that the account is there.
  private var authority: Authority
  private let correlationID: String
  private var state = State.ready

  /// How long a person may take for the pages, in seconds.
  private static let timeForPages = 15.0 * 60

  init(
    client: PublicClientApplicationConfiguration, parameters: InteractiveTokenParameters,
    correlationID: String
  ) {
    self.client = client
    self.parameters = parameters
    self.authority = parameters.authority ?? client.authority
    self.correlationID = correlationID
  }

  /// Begins the flow.
  mutating func start() throws(AuthenticationError) -> Action {
    try authority.checkKind(of: client)
    try parameters.authenticationScheme.check()
    state = .describingAuthority
    return .describeAuthority(authority)
  }

  /// Goes on with what the authority says of itself.
  mutating func described(
    _ configuration: OpenIDConfiguration, at date: Date, randomBytes: (Int) -> [UInt8]
  ) throws(AuthenticationError) -> Action {
    if case .describingCloud(let request, let response) = state {
      return try requestTokens(request, response, configuration)
    }
    guard case .describingAuthority = state else { throw unexpected() }
    let request = try AuthorizationRequest(
      client: client, parameters: parameters, kind: authority.kind,
      configuration: configuration, correlationID: correlationID, randomBytes: randomBytes)
    state = .showingPages(request, configuration, since: date)
    return .showPages(
      WebAuthenticationRequest(
        startURL: request.url, redirectURI: client.redirectURI,
        prefersEphemeralSession: parameters.prefersEphemeralSession || client.isSharedDevice))
  }

  /// Goes on with the redirect that ended the pages.
  ///
  /// It is looked at once: a second one finds no request. One that comes late, such as after the
  /// machine slept, may be someone else's doing.
  mutating func redirected(to url: String, at date: Date) throws(AuthenticationError) -> Action {
    guard case .showingPages(let request, let configuration, let start) = state else {
      throw unexpected()
    }
    state = .finished
    guard date < start + Self.timeForPages else {
      throw AuthenticationError(
        .invalidState, "The sign-in took too long. Please sign in again.", step: .authorization)
    }
    let response = try AuthorizationResponse(
      redirect: url, to: request, redirectURI: client.redirectURI, configuration: configuration,
      from: authority, mayMove: client.multipleCloudsSupported)
    guard let cloud = response.cloud else {
      return try requestTokens(request, response, configuration)
    }
    authority = cloud
    state = .describingCloud(request, response)
    return .describeAuthority(cloud)
  }

  private mutating func requestTokens(
    _ request: AuthorizationRequest, _ response: AuthorizationResponse,
    _ configuration: OpenIDConfiguration
  ) throws(AuthenticationError) -> Action {
    let proofKey = parameters.authenticationScheme.isProofOfPossession ? try ProofKey() : nil
    state = .requestingTokens(request, configuration, proofKey)
    return .requestTokens(
      .redeeming(
        response.code, of: request, client: client, scopes: parameters.scopes,
        claims: parameters.claims, proofKey: proofKey, kind: authority.kind,
        configuration: configuration, correlationID: correlationID))
  }

  /// Ends with the answer of the token endpoint.
  mutating func replied(_ reply: HTTPReply, at date: Date) throws(AuthenticationError) -> Action {
    guard case .requestingTokens(let request, let configuration, let proofKey) = state else {
      throw unexpected()
    }
    state = .finished
    return .finish(
      try TokenGrant(
        checking: reply, receivedAt: date,
        against: TokenGrant.Expectation(
          scopes: parameters.scopes, clientID: client.clientID, authority: authority,
          configuration: configuration, nonce: request.nonce, proofKey: proofKey,
          isInteractive: true)))
  }

  private func unexpected() -> AuthenticationError {
    AuthenticationError(
      .invalidState, "There is no sign-in under way that this belongs to.", step: .authorization)
  }
}
