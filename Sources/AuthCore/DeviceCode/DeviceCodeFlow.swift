import CurlHTTP
import FoundationEssentials

/// A sign-in on another device, from the authority to checked tokens (RFC 8628).
///
/// Like ``InteractiveFlow`` it does nothing itself:
///
///     describeAuthority → requestCode → showCode → wait ⇄ requestTokens → finish
struct DeviceCodeFlow: Sendable {
  /// What to do next.
  enum Action: Sendable {
    /// Get the authority's OpenID configuration.
    case describeAuthority(Authority)
    /// Send the form to the device authorization endpoint.
    case requestCode(TokenRequest)
    /// Show the code to the person.
    case showCode(DeviceCode)
    /// Let the person go on for a while.
    case wait(Duration)
    /// Send the form to the token endpoint.
    case requestTokens(TokenRequest)
    /// Keep the tokens; the flow is over.
    case finish(TokenGrant)
  }

  private enum State {
    case ready
    case describingAuthority
    case requestingCode(OpenIDConfiguration)
    case polling(Polling)
    case finished
  }

  private struct Polling {
    let configuration: OpenIDConfiguration
    let response: DeviceAuthorizationResponse
    /// The pause between two questions, in seconds; it only grows.
    var interval: Int
    /// How many questions in a row found no server.
    var failures = 0
  }

  /// What `slow_down` adds to the interval, in seconds (RFC 8628, section 3.5).
  static let slowDown = 5
  /// The longest pause after questions that found no server, in seconds.
  static let longestBackOff = 60

  private let client: PublicClientApplicationConfiguration
  private let parameters: DeviceCodeTokenParameters
  private let authority: Authority
  private let correlationID: String
  private var state = State.ready

  init(
    client: PublicClientApplicationConfiguration, parameters: DeviceCodeTokenParameters,
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
    state = .describingAuthority
    return .describeAuthority(authority)
  }

  /// Goes on with what the authority says of itself (RFC 8628, section 3.1).
  mutating func described(_ configuration: OpenIDConfiguration) throws(AuthenticationError)
    -> Action
  {
    guard case .describingAuthority = state else { throw unexpected() }
    guard let endpoint = configuration.deviceAuthorizationEndpoint else {
      throw AuthenticationError(
        .serverError,
        "'\(authority.environment)' offers no sign-in with a code. Sign in with the sign-in pages.",
        step: .discovery)
    }
    state = .requestingCode(configuration)
    return .requestCode(
      .requestingDeviceCode(
        client: client, scopes: parameters.scopes, claims: parameters.claims, endpoint: endpoint,
        configuration: configuration, correlationID: correlationID))
  }

  /// Goes on with the answer of the device authorization endpoint.
  mutating func codeReplied(
    _ reply: HTTPReply, at date: Date
  ) throws(AuthenticationError) -> Action {
    guard case .requestingCode(let configuration) = state else { throw unexpected() }
    let response = try DeviceAuthorizationResponse(reply, receivedAt: date, from: authority)
    state = .polling(
      Polling(
        configuration: configuration, response: response, interval: response.interval))
    return .showCode(response.code)
  }

  /// Goes on when the person sees the code.
  mutating func shown(at date: Date) throws(AuthenticationError) -> Action {
    try wait(at: date)
  }

  /// Goes on after a pause: asks whether the person is done (RFC 8628, section 3.4).
  mutating func waited(at date: Date) throws(AuthenticationError) -> Action {
    guard case .polling(let polling) = state else { throw unexpected() }
    guard date < polling.response.code.expiresOn else { throw expired() }
    return .requestTokens(
      .redeeming(
        deviceCode: polling.response.deviceCode, client: client, claims: parameters.claims,
        kind: authority.kind, configuration: polling.configuration, correlationID: correlationID))
  }

  /// Goes on with the answer of the token endpoint: ends, or waits once more.
  mutating func replied(_ reply: HTTPReply, at date: Date) throws(AuthenticationError) -> Action {
    guard case .polling(let polling) = state else { throw unexpected() }
    do throws(AuthenticationError) {
      let grant = try TokenGrant(
        checking: reply, receivedAt: date,
        against: TokenGrant.Expectation(
          scopes: parameters.scopes, clientID: client.clientID, authority: authority,
          configuration: polling.configuration, nonce: nil, isInteractive: true))
      state = .finished
      return .finish(grant)
    } catch {
      return try failed(error, at: date)
    }
  }

  /// Goes on after a question that brought no tokens (RFC 8628, section 3.5): ends, or waits once more.
  mutating func failed(
    _ error: AuthenticationError, at date: Date
  ) throws(AuthenticationError) -> Action {
    guard case .polling(var polling) = state else { throw error }
    switch (error.oauthError, error.code) {
    case ("authorization_pending", _):
      polling.failures = 0
    case ("slow_down", _):
      polling.failures = 0
      polling.interval += Self.slowDown
    case (_, .networkUnavailable), (_, .serverUnavailable):
      polling.failures += 1
    default:
      state = .finished
      throw error
    }
    state = .polling(polling)
    return try wait(at: date, atLeast: error.retryAfter)
  }

  private mutating func wait(
    at date: Date, atLeast pause: Duration? = nil
  ) throws(AuthenticationError) -> Action {
    guard case .polling(let polling) = state else { throw unexpected() }
    let timeLeft = polling.response.code.expiresOn.timeIntervalSince(date)
    guard timeLeft > 0 else { throw expired() }
    // Each failure doubles the pause; 60 s are reached after six.
    let doubled = polling.interval << min(polling.failures, 6)
    let seconds = max(polling.interval, min(doubled, Self.longestBackOff))
    return .wait(min(max(.seconds(seconds), pause ?? .zero), .seconds(timeLeft)))
  }

  private mutating func expired() -> AuthenticationError {
    state = .finished
    return AuthenticationError(
      .deviceCodeExpired, "The code was not entered in time. Sign in again to get a new one.",
      step: .authorization)
  }

  private func unexpected() -> AuthenticationError {
    AuthenticationError(
      .invalidState, "There is no sign-in under way that this belongs to.", step: .authorization)
  }
}
