import AuthCore
import CurlHTTP
import FoundationEssentials
import HTTPTypes
import TestSupport
import Testing

extension RetryTests {
  @Test(
    "A refresh is retried after a server error",
    arguments: [500, 502, 503, 504])
  func retriesServerErrors(status: Int) async throws {
    let account = try await signIn()
    authority.next(.token, status: status, "")
    #expect(try await refresh(account).source == .server)
    #expect(authority.count(.token) == 3)
    #expect(authority.lastForm["refresh_token"] == "refresh-canary-1")
    #expect(pauses.all.count == 1)
  }

  @Test(
    "A refresh is retried after a lost connection",
    arguments: [.cannotFindHost, .cannotConnect, .timedOut, .connectionLost] as [HTTPError.Code])
  func retriesLostConnections(code: HTTPError.Code) async throws {
    let account = try await signIn()
    fail(.token, code)
    #expect(try await refresh(account).source == .server)
    #expect(pauses.all.count == 1)
  }

  @Test(
    "There is no retry when it cannot help",
    arguments: [
      .cancelled, .tlsFailure, .proxyFailure, .bodyTooLarge, .invalidResponse, .invalidRequest,
      .invalidConfiguration,
    ] as [HTTPError.Code])
  func doesNotRetryInVain(code: HTTPError.Code) async throws {
    let account = try await signIn()
    fail(.token, code)
    await #expect(throws: AuthenticationError.self) { try await refresh(account) }
    #expect(authority.count(.token) == 2)
    #expect(pauses.all.isEmpty)
  }

  @Test("A rejected request is not retried", arguments: [400, 401, 403, 404, 429])
  func doesNotRetryRefusals(status: Int) async throws {
    let account = try await signIn()
    authority.next(.token, status: status, "{\"error\":\"invalid_client\"}")
    await #expect(throws: AuthenticationError.self) { try await refresh(account) }
    #expect(authority.count(.token) == 2)
    #expect(pauses.all.isEmpty)
  }

  @Test(
    "A response that is not the service's keeps its HTTP status",
    arguments: [403, 404, 405, 410])
  func keepsHTTPStatus(status: Int) async throws {
    let account = try await signIn()
    authority.next(.token, status: status, type: "text/plain", "forbidden")
    let error = await #expect(throws: AuthenticationError.self) { try await refresh(account) }
    #expect(error?.code == .invalidResponse)
    #expect(error?.httpStatus == status)
    #expect(error?.details.map { "\($0)" }.contains("HTTP status: \(status)") == true)
    #expect(authority.count(.token) == 2)
  }
}

/// RFC 6585, section 4: a service that sends 429 may also say how long to wait.
extension RetryTests {
  func next(_ endpoint: ScriptedAuthority.Endpoint, _ status: Int, retryAfter: String) {
    authority.next(endpoint) { _ in
      var reply = HTTPReply.make(status, type: "text/html", "<p>Busy")
      reply.response.headerFields[.retryAfter] = retryAfter
      return reply
    }
  }

  @Test("Discovery that is throttled or unavailable is an outage", arguments: [429, 500, 503])
  func discoveryOutage(status: Int) async throws {
    // There is no built-in configuration for a tenant's name.
    let app = try TestApplication.make(
      authority, clock: clock, authority: "https://login.microsoftonline.com/contoso.com",
      sleep: pauses.add)
    next(.configuration, status, retryAfter: "50")
    let error = await #expect(throws: AuthenticationError.self) { try await signIn(app) }
    #expect(error?.code == .serverUnavailable)
    #expect(error?.step == .discovery)
    #expect(error?.nextStep == .tryAgain)
    #expect(error?.httpStatus == status)
    #expect(error?.retryAfter == .seconds(50))
    #expect(authority.count(.configuration) == 1)
    #expect(authority.pagesShown.isEmpty)
  }

  @Test("The built-in configuration replaces one that is throttled")
  func builtInConfiguration() async throws {
    next(.configuration, 429, retryAfter: "50")
    _ = try await signIn()
    #expect(authority.count(.configuration) == 1)
  }

  @Test("Throttled signing keys and device codes have the service's pause")
  func otherOutages() async throws {
    for _ in 1...2 { next(.keys, 429, retryAfter: "50") }
    let keys = await #expect(throws: AuthenticationError.self) { try await signIn() }
    #expect(keys?.code == .serverUnavailable)
    #expect(keys?.retryAfter == .seconds(50))
    next(.deviceCode, 429, retryAfter: "50")
    let code = await #expect(throws: AuthenticationError.self) {
      try await app.acquireToken(DeviceCodeTokenParameters(scopes: ["User.Read"]) { _ in })
    }
    #expect(code?.code == .serverUnavailable)
    #expect(code?.retryAfter == .seconds(50))
  }

  @Test("A check of the registration that is throttled confirms and refutes nothing")
  func registrationCheck() async throws {
    next(.api, 429, retryAfter: "50")
    let error = await #expect(throws: AuthenticationError.self) {
      try await app.checkRegistration()
    }
    #expect(error?.code == .serverUnavailable)
    #expect(error?.step == .authorization)
    #expect(error?.retryAfter == .seconds(50))
  }

  @Test("A token that is still valid is returned while discovery is throttled")
  func validToken() async throws {
    let network = try Service.oidc.authority()
    let store = MemoryTokenCacheStore()
    let account = try await Service.oidc.app(network, clock: clock, store: store)
      .acquireToken(.init(scopes: ["User.Read"], session: network.pages)).account
    // It expires in 100 s, and is about to be renewed.
    clock.advance(by: 3500)
    network.next(.configuration, status: 429, "")
    let later = try Service.oidc.app(network, clock: clock, store: store)
    let result = try await later.acquireTokenSilent(
      .init(scopes: ["User.Read"], account: account))
    #expect(result.source == .cache)
    #expect(network.count(.token) == 1)
  }
}

extension ThrottleTests {
  @Test(
    "Retry-After is honored, up to an hour",
    arguments: [
      (nil, 60), ("50", 50), ("10000", 3600), ("999999999", 3600),
      ("99999999999999999999999999", 3600), ("1.5", 1.5), ("7200", 3600), ("3601", 3600),
    ] as [(String?, Double)])
  func retryAfter(field: String?, seconds: Double) async throws {
    let account = try await signIn()
    next(429, retryAfter: field, body: "{\"error\":\"too_many\"}")
    let error = try await refusal(account)
    #expect(error.code == .serverUnavailable)
    #expect(error.retryAfter == .seconds(seconds))
    #expect(!error.isThrottled, "this error is from the server")
    try await expectPause(of: seconds, account)
  }

  @Test("A negative number means the default minute")
  func negativePause() async throws {
    let account = try await signIn()
    next(429, retryAfter: "-5")
    #expect(try await refusal(account).retryAfter == .seconds(60))
    try await expectPause(of: 60, account)
  }

  @Test("A pause can be requested with any status", arguments: [400, 403])
  func pauseWithAnyStatus(status: Int) async throws {
    let account = try await signIn()
    next(status, retryAfter: "30", body: "{\"error\":\"invalid_client\"}")
    #expect(try await refusal(account).oauthError == "invalid_client")
    let repeated = try await refusal(account)
    #expect(repeated.oauthError == "invalid_client")
    #expect(repeated.isThrottled)
    try await expectPause(of: 30, account)
  }

  @Test("A pause can be requested with tokens")
  func pauseWithTokens() async throws {
    authority.edit(.tokens) {
      $0["refresh_token"] = $0["refresh_token"].map { _ in .string("same") }
    }
    let account = try await signIn()
    authority.next(.token) { [authority] call in
      var reply = authority.usualReply(to: call)
      reply.response.headerFields[.retryAfter] = "30"
      return reply
    }
    #expect(try await refresh(account).source == .server)
    #expect(try await refusal(account).code == .serverUnavailable)
    try await expectPause(of: 30, account)
  }
}

extension SilentTests {
  @Test("A token is renewed 300 s before it expires, not earlier")
  func renewsBeforeExpiry() async throws {
    let account = try await signIn()
    clock.advance(by: 3600 - 301)
    #expect(try await app.silently(account).source == .cache)
    clock.advance(by: 1)
    let renewed = try await app.silently(account)
    #expect(renewed.source == .server)
    #expect(renewed.accessToken.exposed == "access-canary-2")
    #expect(renewed.expiresOn == clock.now + 3600)
  }

  @Test("An expired token is not returned, even in an outage")
  func expiredTokenInOutage() async throws {
    let account = try await signIn()
    clock.advance(by: 3600)
    authority.next(.token, times: 2, status: 503, "")
    #expect(try await refusal(account).code == .serverUnavailable)
  }
}

extension ExtendedLifetimeTests {
  @Test(
    "The expiration buffer can be set",
    arguments: [(100.0, 50.0, true), (100, 101, false), (0, 1, false), (3000, 2999, true)])
  func expirationBuffer(buffer: Double, timeLeft: Double, isRenewed: Bool) async throws {
    let app = try app(isEnabled: false, buffer: buffer)
    let account = try await app.acquireToken(
      .init(scopes: ["User.Read"], session: authority.pages)
    ).account
    clock.advance(by: 3600 - timeLeft)
    let result = try await app.acquireTokenSilent(.init(scopes: ["User.Read"], account: account))
    #expect((result.source == .server) == isRenewed)
  }

  @Test(
    "In an outage the expired token is returned, and marked",
    arguments: [429, 500, 503, 0])
  func expiredTokenWhenEnabled(status: Int) async throws {
    let (app, account) = try await signedIn()
    takeDown(status)
    for _ in 1...3 {
      let result = try await app.acquireTokenSilent(.init(scopes: ["User.Read"], account: account))
      #expect(result.accessToken.exposed == "access-canary-1")
      #expect(result.isExtendedLifetimeToken)
      #expect(result.expiresOn == clock.now + 3600)
      #expect(result.source == .cache)
    }
    #expect(authority.count(.token) <= 3, "the sign-in, and one attempt with its retry")
    authority.answerAsUsual(.token)
    clock.advance(by: 60)
    let result = try await app.acquireTokenSilent(.init(scopes: ["User.Read"], account: account))
    #expect(result.accessToken.exposed == "access-canary-2")
    #expect(!result.isExtendedLifetimeToken)
  }

  @Test("Unless enabled, an outage is an error")
  func outageWhenDisabled() async throws {
    #expect(!(try TestApplication.configuration()).extendedLifetimeEnabled)
    let (app, account) = try await signedIn(isEnabled: false)
    takeDown(503)
    #expect(try await error(app, account).code == .serverUnavailable)
  }
}
