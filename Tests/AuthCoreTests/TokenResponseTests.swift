import AuthCore
import CurlHTTP
import FoundationEssentials
import HTTPTypes
import TestSupport
import Testing

@Suite("Token responses")
struct TokenResponseTests {
  let authority = ScriptedAuthority()
  let clock = ManualClock()
  let store = ScriptedStore()

  func signIn(scopes: [String] = ["User.Read"]) async throws -> AuthenticationResult {
    try await TestApplication.make(authority, clock: clock, store: store).acquireToken(
      InteractiveTokenParameters(scopes: scopes, session: authority.pages))
  }

  func refusal() async throws -> AuthenticationError {
    let error = try #require(
      await #expect(throws: AuthenticationError.self) { try await signIn() })
    #expect(store.records.isEmpty, "nothing is stored")
    #expect(error.correlationID?.isEmpty == false)
    let shown = "\(error) \(error.details)"
    for secret in authority.secrets { #expect(!shown.contains(secret)) }
    return error
  }

  @Test("A valid response becomes a result")
  func good() async throws {
    let result = try await signIn()
    #expect(result.accessToken.exposed == "access-canary-1")
    #expect(result.authorizationHeader.exposed == "Bearer access-canary-1")
    #expect(result.expiresOn == clock.now + 3600)
    #expect(result.account.id == Person.adele.identifier)
    #expect(result.account.name == "Adele Vance")
    #expect(result.tenantID == Person.contoso)
    #expect(result.source == .server)
    #expect(result.scopes.contains("User.Read"))
  }

  @Test("A redirect is not followed", arguments: [301, 302, 303, 307, 308])
  func redirect(status: Int) async throws {
    authority.next(.token, status: status, "")
    let error = try await refusal()
    #expect(error.code == .invalidResponse)
    #expect(error.httpStatus == status)
    #expect(authority.count(.token) == 1)
  }

  @Test(
    "A response without a bearer token is rejected",
    arguments: [
      ("token_type", nil), ("token_type", .string("mac")), ("token_type", .string("DPoP")),
      ("token_type", .string("pop")), ("token_type", .array([.string("Bearer")])),
      ("access_token", nil), ("access_token", .string("")), ("access_token", .number("1")),
      ("access_token", .null), ("id_token", nil),
    ] as [(String, JSON?)])
  func noToken(member: String, value: JSON?) async throws {
    authority.edit(.tokens) { $0[member] = value }
    #expect(try await refusal().code == .invalidResponse)
  }

  @Test("'bearer' is case-insensitive", arguments: ["bearer", "BEARER", "Bearer"])
  func bearer(type: String) async throws {
    authority.edit(.tokens) { $0["token_type"] = .string(type) }
    _ = try await signIn()
  }

  @Test(
    "A lifetime is a number of seconds",
    arguments: [
      ("3600", 3600), ("\"3600\"", 3600), ("0", 0), ("1000000000000", 48 * 3600), ("null", 60),
    ])
  func lifetime(text: String, seconds: Double) async throws {
    let value = try JSON(parsing: text.utf8)
    authority.edit(.tokens) { $0["expires_in"] = value }
    #expect(try await signIn().expiresOn == clock.now + seconds)
  }

  @Test(
    "A fraction counts as far as it makes sense, and anything else as no lifetime",
    arguments: [
      ("3600.0", 3600), ("\"3600.0\"", 3600), ("1.5", 1), ("3.6e3", 3600), ("1e400", 48 * 3600),
      ("9223372036854775808", 48 * 3600), ("-1", 60), ("\"soon\"", 60), ("\"\"", 60),
      ("\"nan\"", 60), ("\"0x10\"", 60), ("true", 60), ("[]", 60),
    ])
  func oddLifetime(text: String, seconds: Double) async throws {
    let value = try JSON(parsing: text.utf8)
    authority.edit(.tokens) { $0["expires_in"] = value }
    #expect(try await signIn().expiresOn == clock.now + seconds)
  }

  @Test(
    "An optional member with an odd value is ignored",
    arguments: ["refresh_in", "ext_expires_in", "scope", "foci", "refresh_token"],
    ["1.5", "true", "[]", "{}", "null", "-1", "1e400"])
  func oddMember(name: String, text: String) async throws {
    let value = try JSON(parsing: text.utf8)
    authority.edit(.tokens) { $0[name] = value }
    let result = try await signIn()
    #expect(result.expiresOn == clock.now + 3600)
    #expect(store.records.count == 1)
  }

  @Test("A missing lifetime means a minute")
  func noLifetime() async throws {
    authority.edit(.tokens) { $0["expires_in"] = nil }
    #expect(try await signIn().expiresOn == clock.now + 60)
  }

  @Test("No list of scopes means all requested scopes (RFC 6749, section 5.1)")
  func noScopes() async throws {
    authority.edit(.tokens) { $0["scope"] = nil }
    #expect(try await signIn().scopes.contains("User.Read"))
  }

  @Test(
    "A scope that stands for others is granted, although the response lists those instead",
    arguments: [".default", ".Default", "https://graph.microsoft.com/.default"])
  func defaultScope(scope: String) async throws {
    authority.edit(.tokens) { $0["scope"] = .string("User.Read openid") }
    let result = try await signIn(scopes: [scope])
    #expect(result.scopes.contains(scope) && result.scopes.contains("User.Read"))
    #expect(store.records.count == 1)
  }

  @Test("An error is an error, whatever the status", arguments: [200, 400, 401])
  func errorBody(status: Int) async throws {
    authority.next(
      .token, status: status,
      "{\"error\":\"invalid_client\",\"error_description\":\"AADSTS7000218: No. Trace ID: 1\","
        + "\"error_codes\":[7000218],\"correlation_id\":\"cccc\",\"access_token\":\"a\"}")
    let error = try await refusal()
    #expect(error.code == .serverError)
    #expect(error.oauthError == "invalid_client")
    #expect(error.serverErrorCodes == [7_000_218])
    #expect(error.correlationID == "cccc")
    #expect(error.httpStatus == status)
    #expect(!error.message.contains("Trace ID"))
  }

  @Test(
    "An OAuth error has MSAL's meaning",
    arguments: [
      ("interaction_required", .interactionRequired), ("login_required", .interactionRequired),
      ("consent_required", .interactionRequired), ("invalid_grant", .interactionRequired),
      ("INVALID_GRANT", .interactionRequired), ("access_denied", .userCanceled),
      ("invalid_scope", .serverError), ("temporarily_unavailable", .serverUnavailable),
    ] as [(String, AuthenticationError.Code)])
  func errorCodes(name: String, code: AuthenticationError.Code) async throws {
    authority.next(.token, status: 400, "{\"error\":\"\(name)\",\"suberror\":\"sub\"}")
    let error = try await refusal()
    #expect(error.code == code)
    #expect(error.suberror == "sub")
  }

  @Test("A client that the service does not know is corrected, and not signed in again")
  func unknownClient() async throws {
    let body = "{\"error\":\"invalid_client\"}"
    authority.next(.token, status: 401, body)
    #expect(try await refusal().nextStep == .correctConfiguration)
    authority.next(.token, times: 2, status: 503, body)
    #expect(try await refusal().nextStep == .tryAgain)
  }

  @Test("429 and 5xx mean serverUnavailable, whatever the body", arguments: [429, 500, 503])
  func outage(status: Int) async throws {
    for body in ["", "<html>", "{\"error\":\"server_error\"}", "{}"] {
      authority.next(.token, times: status == 429 ? 1 : 2, status: status, body)
      let error = try await refusal()
      #expect(error.code == .serverUnavailable)
      #expect(error.httpStatus == status)
    }
  }

  @Test(
    "An HTML page is rejected, and not shown",
    arguments: [(400, "text/html"), (200, "text/html"), (403, "text/plain")])
  func captivePortal(status: Int, type: String) async throws {
    authority.next(.token, status: status, type: type, "<title>HotelPortal</title>")
    let error = try await refusal()
    #expect(error.code == .invalidResponse)
    #expect(error.httpStatus == status)
    #expect(!"\(error)\(error.details)".contains("HotelPortal"))
    #expect(authority.count(.token) == 1)
  }

  @Test(
    "Anything but one JSON object is rejected",
    arguments: [
      "", "{\"access_token\":\"a\"", "{\"access_token\":\"a\",\"access_token\":\"b\"}",
      String(repeating: "[", count: 100_000), "{\"access_token\":\"\\ud800\"}",
      "\u{FEFF}{}", "{} x", "[]", "\"text\"", "null",
    ])
  func malformed(body: String) async throws {
    authority.next(.token, status: 200, body)
    #expect(try await refusal().code == .invalidResponse)
  }

  @Test("A body that is not UTF-8 is rejected")
  func notUTF8() async throws {
    authority.next(.token) { _ in
      var reply = HTTPReply.make(200, "")
      reply.body = Data("{\"a\":\"".utf8) + [0xff, 0xfe] + Data("\"}".utf8)
      return reply
    }
    #expect(try await refusal().code == .invalidResponse)
  }

  @Test(
    "Network errors have their codes",
    arguments: [
      (.cannotFindHost, .networkUnavailable), (.cannotConnect, .networkUnavailable),
      (.timedOut, .networkUnavailable), (.connectionLost, .networkUnavailable),
      (.proxyFailure, .networkUnavailable), (.tlsFailure, .tlsFailure),
      (.bodyTooLarge, .invalidResponse), (.invalidResponse, .invalidResponse),
      (.cancelled, .userCanceled), (.invalidRequest, .invalidConfiguration),
    ] as [(HTTPError.Code, AuthenticationError.Code)])
  func network(http: HTTPError.Code, code: AuthenticationError.Code) async throws {
    // A request that was not sent is retried once.
    let times = http == .cannotFindHost || http == .cannotConnect ? 2 : 1
    authority.next(.token, times: times) { call throws(HTTPError) in
      throw HTTPError(http, host: authority.host, message: "It did not work.")
    }
    let error = try await refusal()
    #expect(error.code == code)
    #expect(error.step == .token)
    #expect(authority.count(.token) == times)
  }
}
