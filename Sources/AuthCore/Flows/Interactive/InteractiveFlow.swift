import FoundationEssentials
import Sentences

/// The authorization code flow, from discovery to checked tokens (RFC 6749, section 4.1).
///
///     describeAuthority → requestCookies → showPages → requestTokens → keep
///
/// Cookies are requested only from a broker. When the pages find the account in another cloud, that
/// cloud's metadata is fetched before its tokens are requested.
struct InteractiveFlow: Flow {
  private enum State {
    case ready
    case describingAuthority
    case requestingCookies(AuthorizationRequest, OpenIDConfiguration, WebAuthenticationRequest)
    case showingPages(AuthorizationRequest, OpenIDConfiguration, since: Date)
    case describingCloud(AuthorizationRequest, AuthorizationResponse)
    case requestingTokens
    case finished
  }

  let reason = TokenGrant.Reason.signIn
  let telemetry = Telemetry.Call(api: .interactive)
  private let client: PublicClientApplicationConfiguration
  private let parameters: InteractiveTokenParameters
  /// The authority of the requests: another cloud, if the pages found the account there.
  private var authority: Authority
  private let correlationID: String
  /// Whether the broker provides cookies for the pages.
  private let hasCookies: Bool
  /// Whether the pages may have several accounts to choose from.
  private let hasChoice: Bool
  private let randomBytes: @Sendable (Int) -> [UInt8]
  private var state = State.ready

  /// The time limit for the user on the pages, in seconds.
  static let timeForPages = 15.0 * 60

  init(
    client: PublicClientApplicationConfiguration, parameters: InteractiveTokenParameters,
    correlationID: String, hasCookies: Bool = false, hasChoice: Bool = true,
    randomBytes: @escaping @Sendable (Int) -> [UInt8]
  ) {
    self.client = client
    self.parameters = parameters
    self.authority = parameters.authority ?? client.authority
    self.correlationID = correlationID
    self.hasCookies = hasCookies
    self.hasChoice = hasChoice
    self.randomBytes = randomBytes
  }

  mutating func next(
    _ event: FlowEvent, at date: Date
  ) throws(AuthenticationError) -> FlowAction {
    switch (state, event) {
    case (.ready, .started):
      try authority.checkKind(of: client)
      try parameters.authenticationScheme.check()
      state = .describingAuthority
      return .describeAuthority(authority)
    case (.describingAuthority, .described(let configuration)):
      return try openPages(configuration, at: date)
    case (.requestingCookies(let request, let configuration, var pages), .cookies(let cookies)):
      pages.cookies = cookies
      state = .showingPages(request, configuration, since: date)
      return .showPages(pages, parameters.session)
    case (.showingPages(let request, let configuration, let start), .redirected(let url)):
      // A request accepts only one redirect; a second one finds no request.
      state = .finished
      return try redeem(url, request, configuration, since: start, at: date)
    case (.describingCloud(let request, let response), .described(let configuration)):
      return try requestTokens(request, response, configuration)
    case (.requestingTokens, .granted(let grant)):
      state = .finished
      return .keep(grant, scopes: parameters.scopes)
    case (_, .failed(let error)):
      state = .finished
      throw error
    case (.ready, _), (.describingAuthority, _), (.requestingCookies, _), (.showingPages, _),
      (.describingCloud, _), (.requestingTokens, _), (.finished, _):
      throw .unexpectedEvent(step: .authorization)
    }
  }

  private mutating func openPages(
    _ configuration: OpenIDConfiguration, at date: Date
  ) throws(AuthenticationError) -> FlowAction {
    let request = try AuthorizationRequest(
      client: client, parameters: parameters, kind: authority.kind,
      configuration: configuration, hasChoice: hasChoice, correlationID: correlationID,
      randomBytes: randomBytes)
    let pages = WebAuthenticationRequest(
      startURL: request.url, redirectURI: client.redirectURI,
      prefersEphemeralSession: parameters.prefersEphemeralSession || client.isSharedDevice)
    guard !hasCookies else {
      state = .requestingCookies(request, configuration, pages)
      return .requestCookies(pages, parameters)
    }
    state = .showingPages(request, configuration, since: date)
    return .showPages(pages, parameters.session)
  }

  /// Handles the redirect that ended the pages.
  ///
  /// A late one, such as after the computer slept, may be forged.
  private mutating func redeem(
    _ url: String, _ request: AuthorizationRequest, _ configuration: OpenIDConfiguration,
    since start: Date, at date: Date
  ) throws(AuthenticationError) -> FlowAction {
    guard date < start + Self.timeForPages else {
      throw AuthenticationError(
        .webAuthenticationTimedOut, Sentence("The sign-in took too long. Sign in again."),
        step: .authorization)
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
  ) throws(AuthenticationError) -> FlowAction {
    let proofKey = parameters.authenticationScheme.isProofOfPossession ? try ProofKey() : nil
    state = .requestingTokens
    let expectation = TokenGrant.Expectation(
      scopes: parameters.scopes, clientID: client.clientID, authority: authority,
      configuration: configuration, nonce: request.nonce, proofKey: proofKey, reason: reason)
    return .requestTokens(
      .redeeming(
        response.code, of: request, client: client, claims: parameters.claims,
        correlationID: correlationID, for: expectation), expectation)
  }
}
