import AuthCore
import CurlHTTP
import FoundationEssentials
import HTTPTypes
import TestSupport
import Testing

@Suite("Sign-in on another device (RFC 8628)")
struct DeviceCodeTests {
  let authority = ScriptedAuthority()
  let clock = ManualClock()
  let waits = Waits()
  let app: PublicClientApplication

  init() throws {
    app = try TestApplication.make(authority, clock: clock, sleep: waits.sleep(clock))
  }

  /// Records the waits; each advances the clock by its length.
  final class Waits: Sendable {
    private let list = LockedValue<[Duration]>([])
    var all: [Duration] { list.withLock { $0 } }
    func sleep(_ clock: ManualClock) -> @Sendable (Duration) -> Void {
      { [self] pause in
        list.withLock { $0.append(pause) }
        clock.advance(by: pause / .seconds(1))
      }
    }
  }

  /// Records the codes that were shown.
  final class Display: Sendable {
    private let list = LockedValue<[DeviceCode]>([])
    var codes: [DeviceCode] { list.withLock { $0 } }
    @Sendable func show(_ code: DeviceCode) { list.withLock { $0.append(code) } }
  }
  let display = Display()

  @discardableResult
  func signIn(
    _ app: PublicClientApplication? = nil,
    _ change: (inout DeviceCodeTokenParameters) throws -> Void = { _ in }
  ) async throws -> AuthenticationResult {
    var parameters = DeviceCodeTokenParameters(scopes: ["User.Read"], showCode: display.show)
    try change(&parameters)
    return try await (app ?? self.app).acquireToken(parameters)
  }

  /// The error of a sign-in.
  func failure(_ app: PublicClientApplication? = nil) async -> AuthenticationError? {
    await #expect(throws: AuthenticationError.self) { try await signIn(app) }
  }

  func refuse(_ error: String, times: Int = 1) {
    authority.next(.token, times: times, status: 400, "{\"error\": \"\(error)\"}")
  }

  func fail(_ endpoint: ScriptedAuthority.Endpoint, times: Int = 1, _ code: HTTPError.Code) {
    authority.next(endpoint, times: times) { [host = authority.host] _ throws(HTTPError) in
      throw HTTPError(code, host: host, message: "It did not work.")
    }
  }

  // MARK: - Success

  @Test("The user gets the code, signs in elsewhere, and the account is stored")
  func signedIn() async throws {
    refuse("authorization_pending", times: 2)
    let result = try await signIn { $0.correlationID = "c0ffee" }

    let code = try #require(display.codes.first)
    #expect(display.codes.count == 1)
    #expect(code.userCode == "BPPVYQZMA")
    #expect(code.verificationURI == "https://microsoft.com/devicelogin")
    #expect(code.verificationURIComplete == nil)
    #expect(code.expiresOn == ManualClock().now + 900)
    #expect(code.message.contains(code.userCode) && code.message.contains(code.verificationURI))
    #expect(code.message.contains("only if you started this sign-in"))

    let form = authority.calls.first { $0.endpoint == .deviceCode }?.form
    #expect(
      form == [
        "client_id": TestApplication.clientID, "scope": "User.Read openid profile offline_access",
      ])
    #expect(
      authority.lastForm == [
        "client_id": TestApplication.clientID, "client_info": "1",
        "grant_type": "urn:ietf:params:oauth:grant-type:device_code",
        "device_code": "device-canary-0123456789",
      ])
    #expect(waits.all == [.seconds(5), .seconds(5), .seconds(5)])
    #expect(authority.count(.token) == 3)

    #expect(result.account.username == "adele@contoso.example")
    #expect(result.scopes.contains("User.Read"))
    #expect(result.correlationID == "c0ffee")
    #expect(await app.accounts() == [result.account])
    let silent = try await app.acquireTokenSilent(
      SilentTokenParameters(scopes: ["User.Read"], account: result.account))
    #expect(silent.accessToken == result.accessToken && silent.source == .cache)
  }

  @Test("Claims are sent with both requests, and another authority can be used")
  func parameters() async throws {
    let claims = try ClaimsRequest(json: "{\"access_token\":{\"nbf\":{\"essential\":true}}}")
    try await signIn {
      $0.claims = claims
      $0.authority = try Authority("https://login.microsoftonline.com/\(Person.contoso)")
    }
    let calls = authority.calls.filter { [.deviceCode, .token].contains($0.endpoint) }
    #expect(calls.count == 2)
    for call in calls {
      #expect(call.form["claims"]?.contains("nbf") == true)
      #expect(call.url.contains("/\(Person.contoso)/oauth2/v2.0/"))
    }
  }

  @Test("The verification URI with the code is passed on")
  func complete() async throws {
    let address = "https://login.microsoftonline.com/device?code=BPPVYQZMA"
    authority.edit(.deviceCode) { $0["verification_uri_complete"] = .string(address) }
    try await signIn()
    #expect(display.codes.first?.verificationURIComplete == address)
  }

  @Test("A service may write that it has no verification URI with the code")
  func notComplete() async throws {
    authority.edit(.deviceCode) { $0["verification_uri_complete"] = .null }
    try await signIn()
    #expect(display.codes.count == 1 && display.codes.first?.verificationURIComplete == nil)
  }

  @Test("Tokens are checked as in any sign-in, and invalid ones are not stored")
  func checked() async throws {
    authority.edit(.claims) { $0["aud"] = .string("another-app") }
    #expect(await failure()?.code == .invalidIDToken)
    #expect(await app.accounts().isEmpty)
  }

  // MARK: - Polling interval

  @Test(
    "The polling interval is the server's, within limits",
    arguments: [
      (nil, 5), (.null, 5), (.string("soon"), 5), (.number("0"), 1), (.number("-3"), 1),
      (.number("1"), 1), (.number("7"), 7), (.number("60"), 60), (.number("100000"), 60),
    ] as [(JSON?, Int)])
  func interval(sent: JSON?, seconds: Int) async throws {
    authority.edit(.deviceCode) { $0["interval"] = sent }
    try await signIn()
    #expect(waits.all == [.seconds(seconds)])
  }

  @Test("Slow_down adds five seconds to all further intervals")
  func slowDown() async throws {
    refuse("slow_down")
    refuse("authorization_pending")
    refuse("slow_down")
    refuse("authorization_pending")
    try await signIn()
    #expect(waits.all == [5, 10, 10, 15, 15].map { .seconds($0) })
  }

  @Test("Polling ends when the code expires")
  func expired() async throws {
    authority.edit(.deviceCode) { $0["expires_in"] = .number("12") }
    refuse("authorization_pending", times: 9)
    let error = await failure()
    #expect(error?.code == .deviceCodeExpired)
    #expect(error?.message.contains("not entered in time") == true)
    #expect(waits.all == [.seconds(5), .seconds(5), .seconds(2)])
    #expect(authority.count(.token) == 2)
  }

  @Test("Polling ends after an hour, even if the code is valid for longer")
  func longLife() async throws {
    authority.edit(.deviceCode) { $0["expires_in"] = .number("999999999") }
    try await signIn()
    #expect(display.codes.first?.expiresOn == ManualClock().now + 3600)
  }

  @Test(
    "A code without a lifetime is rejected",
    arguments: [nil, .number("0"), .number("-1")]
      as [JSON?])
  func noLifetime(sent: JSON?) async throws {
    authority.edit(.deviceCode) { $0["expires_in"] = sent }
    #expect(await failure()?.code == .invalidResponse)
    #expect(display.codes.isEmpty)
  }

  // MARK: - Errors while polling

  @Test("Without a network, polling slows down, and continues when it is back")
  func networkLoss() async throws {
    fail(.token, .cannotFindHost)
    fail(.token, .timedOut)
    fail(.token, .connectionLost)
    fail(.token, times: 2, .cannotConnect)
    refuse("authorization_pending")
    try await signIn()
    #expect(waits.all == [5, 10, 20, 40, 60, 60, 5].map { .seconds($0) })
    #expect(authority.count(.token) == 7)
  }

  @Test("Each outage is reported once, and its end")
  func outages() async throws {
    fail(.token, times: 2, .cannotConnect)
    refuse("authorization_pending", times: 2)
    authority.next(.token, times: 2, status: 500, "")
    refuse("slow_down")
    let reports = LockedValue<[AuthenticationError.Code?]>([])
    try await signIn { parameters in
      parameters.reportOutage = { error in reports.withLock { $0.append(error?.code) } }
    }
    #expect(
      reports.withLock { $0 } == [.networkUnavailable, nil, .serverUnavailable, nil])
  }

  @Test("Without a network, polling ends when the code expires")
  func networkLossUntilExpiry() async throws {
    fail(.token, times: 99, .cannotFindHost)
    #expect(await failure()?.code == .deviceCodeExpired)
    #expect(clock.now == ManualClock().now + 900)
  }

  @Test("An unavailable server gets the pause that it requests, or a minute")
  func outOfOrder() async throws {
    authority.next(.token) { _ in
      var reply = HTTPReply.make(503, "")
      reply.response.headerFields[.retryAfter] = "90"
      return reply
    }
    authority.next(.token, status: 500, "")
    try await signIn()
    #expect(waits.all == [5, 90, 60].map { .seconds($0) })
  }

  @Test("A TLS error ends the sign-in immediately")
  func insecure() async throws {
    fail(.token, .tlsFailure)
    #expect(await failure()?.code == .tlsFailure)
    #expect(authority.count(.token) == 1)
  }

  @Test(
    "Canceling ends the wait between polls, and nothing more is sent",
    .timeLimit(.minutes(5)))
  func cancelled() async throws {
    let (pauses, started) = AsyncStream<Void>.makeStream()
    let app = try TestApplication.make(authority, clock: clock) { pause in
      started.yield()
      // Only canceling the task ends the wait.
      try await Task.sleep(for: .seconds(3600))
    }
    let request = Task { await failure(app) }
    for await _ in pauses { break }
    request.cancel()
    #expect(await request.value?.code == .userCanceled)
    #expect(authority.count(.token) == 0)
  }

  @Test("Canceling while the code is shown prevents all polls")
  func cancelledWhileShown() async throws {
    let request = Task {
      try await signIn { $0.showCode = { _ in withUnsafeCurrentTask { $0?.cancel() } } }
    }
    let error = await #expect(throws: AuthenticationError.self) { try await request.value }
    #expect(error?.code == .userCanceled)
    #expect(waits.all.isEmpty && authority.count(.token) == 0)
  }

  @Test("Canceling while the code is shown is a cancellation, whatever ends the work")
  func cancelledWithAnotherError() async throws {
    struct Closed: Error {}
    let own = AuthenticationError(.storageUnavailable, "There is no display.")
    for error in [Closed(), own] as [any Error] {
      let request = Task {
        try await signIn {
          $0.showCode = { _ in
            withUnsafeCurrentTask { $0?.cancel() }
            throw error
          }
        }
      }
      let found = await #expect(throws: AuthenticationError.self) { try await request.value }
      #expect(found?.code == .userCanceled && found?.step == .authorization)
      #expect(found?.message == "The sign-in was canceled.")
    }
    #expect(waits.all.isEmpty && authority.count(.token) == 0)
  }

  @Test("A code that cannot be shown ends the sign-in with the reason, and nothing is polled")
  func notShown() async throws {
    struct Closed: Error {}
    let error = await #expect(throws: AuthenticationError.self) {
      try await signIn { $0.showCode = { _ in throw Closed() } }
    }
    #expect(error?.code == .webAuthenticationFailed && error?.step == .authorization)
    #expect(error?.message.contains("Closed") == true)
    let own = AuthenticationError(.storageUnavailable, "There is no display.")
    let second = await #expect(throws: AuthenticationError.self) {
      try await signIn { $0.showCode = { _ in throw own } }
    }
    #expect(second?.code == own.code && second?.message == own.message)
    #expect(waits.all.isEmpty && authority.count(.token) == 0)
  }

  @Test("Canceling during a poll prevents further polls")
  func cancelledWhileAsking() async throws {
    fail(.token, .cancelled)
    #expect(await failure()?.code == .userCanceled)
    #expect(authority.count(.token) == 1)
  }

  enum Moment: CaseIterable {
    case beginning, codeShown, beforePoll
  }

  @Test("A canceled sign-in says so, whatever was in progress", arguments: Moment.allCases)
  func wordsOfCancellation(_ moment: Moment) async throws {
    @Sendable func cancel(at now: Moment) {
      if now == moment { withUnsafeCurrentTask { $0?.cancel() } }
    }
    let app = try TestApplication.make(authority, clock: clock) { _ in cancel(at: .beforePoll) }
    let request = Task {
      cancel(at: .beginning)
      try await signIn(app) { $0.showCode = { _ in cancel(at: .codeShown) } }
    }
    let error = await #expect(throws: AuthenticationError.self) { try await request.value }
    #expect(error?.code == .userCanceled)
    #expect(error?.message == "The sign-in was canceled.")
    #expect(authority.count(.token) == 0)
  }

  @Test(
    "A final error of the server ends the sign-in with a matching code",
    arguments: [
      ("authorization_declined", .userCanceled), ("access_denied", .userCanceled),
      ("bad_verification_code", .serverError), ("expired_token", .deviceCodeExpired),
      ("invalid_grant", .interactionRequired),
    ] as [(String, AuthenticationError.Code)])
  func refused(error: String, code: AuthenticationError.Code) async throws {
    refuse("authorization_pending")
    refuse(error)
    let failure = await failure()
    #expect(failure?.code == code && failure?.oauthError == error)
    #expect(failure?.isDeclined == (code == .userCanceled))
    #expect(failure?.step == .token)
    #expect(authority.count(.token) == 2)
    #expect(await app.accounts().isEmpty)
  }

  @Test("Errors do not contain the device code, even if the server echoes it")
  func unseen() async throws {
    authority.next(
      .token, status: 400,
      """
      {"error": "bad_verification_code", "error_description":
        "The code device-canary-0123456789 was not recognized."}
      """)
    let error = try #require(await failure())
    #expect(error.code == .serverError)
    var dumped = ""
    dump(error, to: &dumped)
    dump(display.codes, to: &dumped)
    for text in ["\(error)", String(reflecting: error), "\(error.details)", dumped] {
      #expect(!text.contains("device-canary"))
    }
  }
}
