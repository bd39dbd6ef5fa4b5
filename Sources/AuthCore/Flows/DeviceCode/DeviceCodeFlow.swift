import CurlHTTP
import FoundationEssentials
import Sentences

/// The device code flow, from discovery to checked tokens (RFC 8628).
///
///     describeAuthority → requestCode → showCode → wait ⇄ requestTokens → keep
struct DeviceCodeFlow: Flow {
  private enum State {
    case ready
    case describingAuthority
    case requestingCode(OpenIDConfiguration)
    case showingCode(Polling)
    case waiting(Polling)
    case requestingTokens(Polling)
    case finished
  }

  private struct Polling {
    let configuration: OpenIDConfiguration
    let response: DeviceAuthorizationResponse
    /// The polling interval in seconds; it only grows.
    var interval: Int
    /// How many polls in a row did not reach the server.
    var failures = 0
  }

  /// What `slow_down` adds to the interval, in seconds (RFC 8628, section 3.5).
  static let slowDown = 5
  /// The longest interval after polls that did not reach the server, in seconds.
  static let longestBackOff = 60

  let reason = TokenGrant.Reason.signIn
  let telemetry = Telemetry.Call(api: .deviceCode)
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

  mutating func next(
    _ event: FlowEvent, at date: Date
  ) throws(AuthenticationError) -> FlowAction {
    switch (state, event) {
    case (.ready, .started):
      try authority.checkKind(of: client)
      state = .describingAuthority
      return .describeAuthority(authority)
    case (.describingAuthority, .described(let configuration)):
      return try requestCode(configuration)
    case (.requestingCode(let configuration), .codeReplied(let reply)):
      let response = try DeviceAuthorizationResponse(reply, receivedAt: date, from: authority)
      state = .showingCode(
        Polling(configuration: configuration, response: response, interval: response.interval))
      return .showCode(response.code, parameters.showCode)
    case (.showingCode(let polling), .codeShown):
      return try wait(polling, at: date)
    case (.waiting(let polling), .waited):
      return try requestTokens(polling, at: date)
    case (.requestingTokens, .granted(let grant)):
      state = .finished
      return .keep(grant, scopes: parameters.scopes)
    case (.requestingTokens(let polling), .failed(let error)):
      return try failed(polling, error, at: date)
    case (_, .failed(let error)):
      state = .finished
      throw error
    case (.ready, _), (.describingAuthority, _), (.requestingCode, _), (.showingCode, _),
      (.waiting, _), (.requestingTokens, _), (.finished, _):
      throw .unexpectedEvent(step: .authorization)
    }
  }

  /// Requests a device code (RFC 8628, section 3.1).
  private mutating func requestCode(
    _ configuration: OpenIDConfiguration
  ) throws(AuthenticationError) -> FlowAction {
    guard let endpoint = configuration.deviceAuthorizationEndpoint else {
      throw AuthenticationError(
        .deviceCodeNotSupported,
        Sentence(
          "“{host}” does not support sign-in with a device code. Use the sign-in pages instead.",
          ["host": authority.environment]),
        step: .discovery)
    }
    state = .requestingCode(configuration)
    return .requestCode(
      .requestingDeviceCode(
        client: client, scopes: parameters.scopes, claims: parameters.claims, endpoint: endpoint,
        configuration: configuration, correlationID: correlationID))
  }

  /// Polls the token endpoint (RFC 8628, section 3.4).
  private mutating func requestTokens(
    _ polling: Polling, at date: Date
  ) throws(AuthenticationError) -> FlowAction {
    guard date < polling.response.code.expiresOn else { throw expired() }
    state = .requestingTokens(polling)
    let expectation = TokenGrant.Expectation(
      scopes: parameters.scopes, clientID: client.clientID, authority: authority,
      configuration: polling.configuration, reason: reason)
    return .requestTokens(
      .redeeming(
        deviceCode: polling.response.deviceCode, client: client, claims: parameters.claims,
        correlationID: correlationID, for: expectation), expectation)
  }

  /// Handles a poll without tokens (RFC 8628, section 3.5): ends the flow, or waits again.
  private mutating func failed(
    _ polling: Polling, _ error: AuthenticationError, at date: Date
  ) throws(AuthenticationError) -> FlowAction {
    var polling = polling
    let wasOutage = polling.failures > 0
    switch error.effect {
    case .goOn:
      polling.failures = 0
    case .slowDown:
      polling.failures = 0
      polling.interval += Self.slowDown
    case .refuseToken, .end:
      guard error.isOutage else {
        state = .finished
        throw error
      }
      polling.failures += 1
    }
    let (isOutage, report) = (polling.failures > 0, parameters.reportOutage)
    var news: (@Sendable () async -> Void)?
    if isOutage != wasOutage { news = { await report(isOutage ? error : nil) } }
    return try wait(polling, at: date, atLeast: error.retryAfter, after: news)
  }

  private mutating func wait(
    _ polling: Polling, at date: Date, atLeast pause: Duration? = nil,
    after news: (@Sendable () async -> Void)? = nil
  ) throws(AuthenticationError) -> FlowAction {
    let timeLeft = polling.response.code.expiresOn.timeIntervalSince(date)
    guard timeLeft > 0 else { throw expired() }
    state = .waiting(polling)
    // Each failure doubles the interval; 60 s are reached after six.
    let doubled = polling.interval << min(polling.failures, 6)
    let seconds = max(polling.interval, min(doubled, Self.longestBackOff))
    return .wait(min(max(.seconds(seconds), pause ?? .zero), .seconds(timeLeft)), after: news)
  }

  private mutating func expired() -> AuthenticationError {
    state = .finished
    return AuthenticationError(
      .deviceCodeExpired,
      Sentence("The code was not entered in time. Sign in again to get a new one."),
      step: .authorization)
  }
}
