import AuthCore
import CurlHTTP
import FoundationEssentials
import HTTPTypes
import TestSupport
import Testing

extension RetryTests {
  @Test(
    "Fact 47: a refresh that met a fault of the server works a moment later",
    arguments: [500, 502, 503, 504])
  func fact47(status: Int) async throws {
    let account = try await signIn()
    authority.next(.token, status: status, "")
    #expect(try await refresh(account).source == .server)
    #expect(authority.count(.token) == 3)
    #expect(authority.lastForm["refresh_token"] == "refresh-canary-1")
    #expect(pauses.all.count == 1)
  }

  @Test(
    "Fact 47: and so does one that the network lost",
    arguments: [.cannotFindHost, .cannotConnect, .timedOut, .connectionLost] as [HTTPError.Code])
  func fact47(code: HTTPError.Code) async throws {
    let account = try await signIn()
    fail(.token, code)
    #expect(try await refresh(account).source == .server)
    #expect(pauses.all.count == 1)
  }

  @Test(
    "Fact 47: what a second look cannot change is not looked at twice",
    arguments: [
      .cancelled, .tlsFailure, .proxyFailure, .bodyTooLarge, .invalidResponse, .invalidRequest,
      .invalidConfiguration,
    ] as [HTTPError.Code])
  func fact47Final(code: HTTPError.Code) async throws {
    let account = try await signIn()
    fail(.token, code)
    await #expect(throws: AuthenticationError.self) { try await refresh(account) }
    #expect(authority.count(.token) == 2)
    #expect(pauses.all.isEmpty)
  }

  @Test("Fact 47: a refusal is not sent twice", arguments: [400, 401, 403, 404, 429])
  func fact47Refusal(status: Int) async throws {
    let account = try await signIn()
    authority.next(.token, status: status, "{\"error\":\"invalid_client\"}")
    await #expect(throws: AuthenticationError.self) { try await refresh(account) }
    #expect(authority.count(.token) == 2)
    #expect(pauses.all.isEmpty)
  }

  @Test("Fact 48: what a stranger answers has its status", arguments: [403, 404, 405, 410])
  func fact48(status: Int) async throws {
    let account = try await signIn()
    authority.next(.token, status: status, type: "text/plain", "forbidden")
    let error = await #expect(throws: AuthenticationError.self) { try await refresh(account) }
    #expect(error?.code == .invalidResponse)
    #expect(error?.httpStatus == status)
    #expect(error?.details.contains("HTTP status: \(status)") == true)
    #expect(authority.count(.token) == 2)
  }
}

extension ThrottleTests {
  @Test(
    "Fact 52, defect 7, C34: Retry-After is kept to, up to an hour",
    arguments: [
      (nil, 60), ("50", 50), ("10000", 3600), ("999999999", 3600),
      ("99999999999999999999999999", 3600), ("1.5", 1.5), ("7200", 3600), ("3601", 3600),
    ] as [(String?, Double)])
  func fact52(field: String?, seconds: Double) async throws {
    let account = try await signIn()
    next(429, retryAfter: field, body: "{\"error\":\"too_many\"}")
    let error = try await refusal(account)
    #expect(error.code == .serverUnavailable)
    #expect(error.retryAfter == .seconds(seconds))
    #expect(!error.isThrottled, "this one was the server's own")
    try await expectPause(of: seconds, account)
  }

  @Test("Fact 52: a negative number means the usual minute")
  func fact52Negative() async throws {
    let account = try await signIn()
    next(429, retryAfter: "-5")
    #expect(try await refusal(account).retryAfter == .seconds(60))
    try await expectPause(of: 60, account)
  }

  @Test("Fact 52: a pause can be asked for with any status", arguments: [400, 403])
  func fact52AnyStatus(status: Int) async throws {
    let account = try await signIn()
    next(status, retryAfter: "30", body: "{\"error\":\"invalid_client\"}")
    #expect(try await refusal(account).oauthError == "invalid_client")
    let repeated = try await refusal(account)
    #expect(repeated.oauthError == "invalid_client")
    #expect(repeated.isThrottled)
    try await expectPause(of: 30, account)
  }

  @Test("Fact 52: a pause can be asked for with tokens")
  func fact52WithTokens() async throws {
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
