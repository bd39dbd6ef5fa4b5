import AuthCore
import CurlHTTP
import FoundationEssentials
import HTTPTypes
import TestSupport
import Testing

@Suite("Authentication challenges of an API")
struct AuthenticationChallengeTests {
  /// The claims of the examples, as JSON.
  static let json = "{\"access_token\":{\"nbf\":{\"essential\":true,\"value\":\"1604106651\"}}}"

  func parse(_ field: String) throws -> [AuthenticationChallenge] {
    try #require(AuthenticationChallenge.parse(field), "\(field)")
  }

  func response(_ fields: String...) -> HTTPResponse {
    var response = HTTPResponse(status: .unauthorized)
    for field in fields {
      response.headerFields.append(.init(name: .wwwAuthenticate, value: field))
    }
    return response
  }

  // MARK: - Lists of challenges (RFC 9110, section 11.6.1)

  @Test(
    "The example of RFC 9110: two challenges, the first with quoted commas and quotation marks")
  func example() throws {
    let challenges = try parse(
      "Basic realm=\"simple\", Newauth realm=\"apps\", type=1, title=\"Login to \\\"apps\\\"\"")
    try #require(challenges.count == 2)
    #expect(challenges[0].scheme == "Basic")
    #expect(challenges[0].parameters == ["realm": "simple"])
    #expect(challenges[1].scheme == "Newauth")
    #expect(
      challenges[1].parameters == ["realm": "apps", "type": "1", "title": "Login to \"apps\""])
  }

  @Test("A scheme may have no parameters, or a token instead of parameters")
  func token68() throws {
    let challenges = try parse("Negotiate, NTLM TlRMTVNTUAAC/+~._-==, Bearer realm=x, Digest")
    #expect(challenges.map(\.scheme) == ["Negotiate", "NTLM", "Bearer", "Digest"])
    #expect(challenges.map(\.token68) == [nil, "TlRMTVNTUAAC/+~._-==", nil, nil])
    #expect(challenges[2].parameters == ["realm": "x"])
  }

  @Test(
    "Whitespace, empty elements and case are ignored",
    arguments: [
      "Bearer realm=\"a\",error=b", "Bearer realm = \"a\" , error\t=\tb",
      ", ,Bearer   REALM=\"a\",, ,Error=b,", "Bearer realm=\"\\a\", error=\"b\"",
      "Bearer , realm=a, error=b",
    ])
  func blanks(field: String) throws {
    let challenges = try parse(field)
    #expect(challenges.map(\.parameters) == [["realm": "a", "error": "b"]])
  }

  @Test("A list without elements has no challenges", arguments: ["", " ", ",", " , ,\t"])
  func empty(field: String) throws {
    #expect(try parse(field).isEmpty)
  }

  @Test(
    "A malformed list of challenges is rejected",
    arguments: [
      "=", "\"Bearer\"", "Bearer error=a, realm=", "Bearer realm=\"a",
      "Bearer realm=\"a\\",
      "Bearer realm=\"a\nb\"", "Bearer realm=\"a\\\u{0}\"", "Bearer realm=\"a\" error=b", "Bärer",
      "Bearer realm=a b=c", "Bearer realm=\"a\"b", "Bearer a=b=c", "Bearer (comment)", "Bearer a b",
      "Bearer realm=\"\(String(repeating: "a", count: 32_768))\"",
    ])
  func malformed(field: String) {
    #expect(AuthenticationChallenge.parse(field) == nil)
  }

  @Test("A duplicate parameter makes only its own challenge unusable")
  func twice() throws {
    let challenges = try parse("Bearer claims=a, CLAIMS=b, Basic realm=x")
    #expect(challenges.map(\.scheme) == ["Basic"])
  }

  @Test("All fields of the response are read, in order")
  func fields() {
    let found = AuthenticationChallenge.challenges(
      in: response("Basic realm=a, Negotiate", "Bearer a=", "Bearer error=x,", "Digest \""))
    #expect(found.map(\.scheme) == ["Basic", "Negotiate", "Bearer", "Bearer"])
  }

  // MARK: - Claims

  @Test(
    "Claims may be base64 in either alphabet, with or without padding",
    arguments: [
      "eyJhY2Nlc3NfdG9rZW4iOnsibmJmIjp7ImVzc2VudGlhbCI6dHJ1ZSwgInZhbHVlIjoiMTYwNDEwNjY1MSJ9fX0=",
      "eyJhY2Nlc3NfdG9rZW4iOnsibmJmIjp7ImVzc2VudGlhbCI6dHJ1ZSwgInZhbHVlIjoiMTYwNDEwNjY1MSJ9fX0",
    ])
  func claims(text: String) {
    let field =
      "Bearer realm=\"\", authorization_uri=\"https://login.microsoftonline.com/common/oauth2/"
      + "authorize\", client_id=\"00000003-0000-0000-c000-000000000000\","
      + " error=\"insufficient_claims\", claims=\"\(text)\""
    #expect(AuthenticationChallenge.claims(in: response(field))?.json == Self.json)
  }

  @Test("The special characters of both alphabets are decoded", arguments: ["+", "-"])
  func alphabets(plus: String) throws {
    // In base64, '>' results in '+', and '?' in '/'.
    let json = "{\"id_token\":{\"a>>>???\":null}}"
    let standard = Data(json.utf8).base64EncodedString()
    #expect(standard.contains("+") && standard.contains("/"))
    let text = plus == "+" ? standard : Base64URL.encode(json.utf8)
    let claims = AuthenticationChallenge.claims(in: response("Bearer claims=\"\(text)\""))
    #expect(claims?.json == json)
  }

  @Test(
    "Unreadable claims are ignored",
    arguments: [
      "", "=", "e30", "e30=", "e30==", "!!!!", "eyJ", "eyJhIjoxfQ=", "eyJhIjoxfQ===", "W10=",
      "eyJpZF90b2tlbiI6W119", "/////w==", "e30 ", "eyJ\\\"",
    ])
  func unreadable(text: String) {
    #expect(AuthenticationChallenge.claims(in: response("Bearer claims=\"\(text)\"")) == nil)
  }

  @Test(
    "Claims of more than 16 KiB are ignored", arguments: [(16_384, true), (16_385, false)])
  func size(bytes: Int, isRead: Bool) {
    let frame = "{\"id_token\":{\"\":null}}"
    let name = String(repeating: "a", count: bytes - frame.utf8.count)
    let json = "{\"id_token\":{\"\(name)\":null}}"
    #expect(json.utf8.count == bytes)
    let field = "Bearer claims=\"\(Base64URL.encode(json.utf8))\""
    #expect((AuthenticationChallenge.claims(in: response(field)) != nil) == isRead)
  }

  @Test("Of two claims challenges, the first readable one is used")
  func two() {
    let text = Base64URL.encode(Self.json.utf8)
    let claims = AuthenticationChallenge.claims(
      in: response(
        "Basic claims=\"\(Base64URL.encode("{\"id_token\":{\"a\":null}}".utf8))\"",
        "Bearer claims=\"???\", bearer error=x, claims=\"\(text)\"",
        "Bearer claims=\"\(Base64URL.encode("{\"id_token\":{\"b\":null}}".utf8))\""))
    #expect(claims?.json == Self.json)
  }

  @Test("A response without a challenge requests no claims")
  func none() {
    #expect(AuthenticationChallenge.claims(in: HTTPResponse(status: .unauthorized)) == nil)
    #expect(AuthenticationChallenge.claims(in: response("Bearer realm=\"\"")) == nil)
  }

  @Test("The claims that an API requests lead to a new token, in one request")
  func wayRound() async throws {
    let authority = ScriptedAuthority()
    let app = try TestApplication.make(authority)
    let account = try await app.acquireToken(
      .init(scopes: ["User.Read"], session: authority.pages)
    ).account
    var parameters = SilentTokenParameters(scopes: ["User.Read"], account: account)
    parameters.claims = AuthenticationChallenge.claims(
      in: response("Bearer claims=\"\(Base64URL.encode(Self.json.utf8))\""))
    #expect(try await app.acquireTokenSilent(parameters).source == .server)
    #expect(authority.lastForm["claims"] == Self.json)
    #expect(authority.count(.token) == 2)
  }

  @Test("A challenge for the device's key is an error, and is not answered")
  func deviceKey() async throws {
    let authority = ScriptedAuthority()
    authority.next(.token) { _ in
      var reply = HTTPReply.make(401, "")
      reply.response.headerFields[.wwwAuthenticate] =
        "PKeyAuth Nonce=\"n\", CertAuthorities=\"ca\", Version=\"1.0\","
        + " SubmitUrl=\"https://evil.example/\", Context=\"c\""
      return reply
    }
    let app = try TestApplication.make(authority)
    let error = await #expect(throws: AuthenticationError.self) {
      try await app.acquireToken(.init(scopes: ["User.Read"], session: authority.pages))
    }
    #expect(error?.code == .invalidResponse)
    #expect(authority.count(.token) == 1)
    #expect(authority.calls.allSatisfy { !$0.url.contains("evil") })
    #expect(authority.calls.allSatisfy { $0.request.headerFields[.authorization] == nil })
  }
}
