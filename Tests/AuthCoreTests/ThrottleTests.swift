import AuthCore
import CurlHTTP
import FoundationEssentials
import HTTPTypes
import TestSupport
import Testing

@Suite("Throttling of rejected requests")
struct ThrottleTests {
  let authority = ScriptedAuthority()
  /// Sun, 06 Nov 1994 08:49:37 GMT, the date in RFC 9110, section 5.6.7.
  let clock = ManualClock(Date(timeIntervalSince1970: 784_111_777))
  let app: PublicClientApplication

  init() throws {
    app = try TestApplication.make(authority, clock: clock)
  }

  func signIn() async throws -> Account {
    try await app.acquireToken(
      InteractiveTokenParameters(scopes: ["User.Read", "Mail.Read"], session: authority.pages)
    ).account
  }

  func refresh(
    _ account: Account, scopes: [String] = ["User.Read"], tenant: String? = nil
  ) async throws -> AuthenticationResult {
    var parameters = SilentTokenParameters(scopes: scopes, account: account)
    parameters.forceRefresh = true
    if let tenant { parameters.authority = try Authority("https://\(authority.host)/\(tenant)") }
    return try await app.acquireTokenSilent(parameters)
  }

  func refusal(_ account: Account) async throws -> AuthenticationError {
    try #require(
      await #expect(throws: AuthenticationError.self) { try await refresh(account) })
  }

  /// Responds to the next refresh with `status` and a field `Retry-After`.
  func next(_ status: Int, retryAfter: String?, body: String = "") {
    authority.next(.token) { _ in
      var reply = HTTPReply.make(status, body)
      reply.response.headerFields[.retryAfter] = retryAfter
      return reply
    }
  }

  /// Checks that nothing is sent for `seconds`, and then a request is.
  func expectPause(of seconds: Double, _ account: Account) async throws {
    let sent = authority.count(.token)
    clock.advance(by: seconds - 1)
    let error = try await refusal(account)
    #expect(error.isThrottled)
    #expect(error.retryAfter == .seconds(1))
    #expect(authority.count(.token) == sent)
    clock.advance(by: 1)
    #expect(try await refresh(account).source == .server)
    #expect(authority.count(.token) == sent + 1)
  }

  // MARK: - Length of a pause

  @Test("Setting the clock back does not extend a pause")
  func clockSetBack() async throws {
    let account = try await signIn()
    next(429, retryAfter: "3600")
    _ = try await refusal(account)
    clock.advance(by: -7200)
    #expect(try await refresh(account).source == .server)
  }

  // MARK: - Which requests are paused

  @Test("A cached token is returned during a pause")
  func cached() async throws {
    let account = try await signIn()
    next(429, retryAfter: "3600")
    _ = try await refusal(account)
    let result = try await app.acquireTokenSilent(.init(scopes: ["User.Read"], account: account))
    #expect(result.source == .cache)
  }

  @Test("An interactive request is never throttled")
  func interactive() async throws {
    let account = try await signIn()
    next(429, retryAfter: "3600")
    _ = try await refusal(account)
    #expect(try await signIn() == account)
  }

  // MARK: - When interaction is required

  @Test("A request that requires interaction is not sent again for two minutes")
  func interactionRequired() async throws {
    let account = try await signIn()
    authority.next(
      .token, status: 400, "{\"error\":\"invalid_grant\",\"error_codes\":[50076]}")
    let first = try await refusal(account)
    #expect(first.code == .interactionRequired)
    #expect(!first.isThrottled)
    clock.advance(by: 119)
    let second = try await refusal(account)
    #expect(second.isThrottled)
    #expect(second.code == .interactionRequired)
    #expect(second.serverErrorCodes == [50076])
    #expect(second.correlationID == first.correlationID, "the ID that the server knows")
    #expect(second.retryAfter == nil, "waiting is not what helps")
    #expect(authority.count(.token) == 2)
    clock.advance(by: 1)
    #expect(try await refresh(account).source == .server)
  }

  @Test("After a sign-in, the request is sent again immediately")
  func lifted() async throws {
    authority.edit(.tokens) {
      $0["refresh_token"] = $0["refresh_token"].map { _ in .string("same") }
    }
    let account = try await signIn()
    authority.next(.token, status: 400, "{\"error\":\"interaction_required\"}")
    _ = try await refusal(account)
    #expect(try await refusal(account).isThrottled)
    _ = try await signIn()
    #expect(try await refresh(account).source == .server)
  }

  @Test("A request with other scopes is not throttled")
  func otherForm() async throws {
    let account = try await signIn()
    authority.next(.token, status: 400, "{\"error\":\"interaction_required\"}")
    _ = try await refusal(account)
    #expect(try await refresh(account, scopes: ["Mail.Read"]).source == .server)
  }

  @Test("The details say that nothing was sent")
  func details() async throws {
    let account = try await signIn()
    next(429, retryAfter: "90")
    #expect(try await refusal(account).details.map { "\($0)" }.contains("Retry after: 90 s"))
    clock.advance(by: 30)
    let details = try await refusal(account).details.map { "\($0)" }
    #expect(details.contains("Retry after: 60 s"))
    #expect(details.contains("Not sent: the same request was refused a short time ago"))
    for secret in authority.secrets { #expect(!"\(details)".contains(secret)) }
  }
}
