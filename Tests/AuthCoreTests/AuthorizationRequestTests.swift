import AuthCore
import CurlHTTP

import HTTPTypes
import TestSupport
import Testing

@Suite("The authorization request")
struct AuthorizationRequestTests {
  let authority = ScriptedAuthority()

  func signIn(
    _ change: (inout InteractiveTokenParameters) -> Void = { _ in }
  ) async throws -> AuthenticationResult {
    var parameters = InteractiveTokenParameters(scopes: ["User.Read"], session: authority.pages)
    change(&parameters)
    return try await TestApplication.make(authority).acquireToken(parameters)
  }

  @Test(
    "Each prompt is sent by its name",
    arguments: zip(
      Prompt.allCases, ["select_account", "login", "consent", "create", nil]))
  func prompt(prompt: Prompt, sent: String?) async throws {
    _ = try await signIn { $0.prompt = prompt }
    #expect(authority.authorization["prompt"] == sent)
  }

  @Test("Two requests share no state, nonce or verifier")
  func freshRandomness() async throws {
    var seen: Set<String> = []
    for _ in 1...20 {
      _ = try await signIn()
      let sent = authority.authorization
      for value in [sent["state"], sent["nonce"], authority.lastForm["code_verifier"]] {
        let value = try #require(value)
        #expect(Base64URL.decode(value)?.count ?? 0 >= 16, "at least 128 bits")
        #expect(seen.insert(value).inserted)
      }
    }
  }

  @Test("The verifier of RFC 7636, appendix B, has the expected challenge")
  func pkceVector() async throws {
    let bytes: [UInt8] = [
      116, 24, 223, 180, 151, 153, 224, 37, 79, 250, 96, 125, 216, 173, 187, 186, 22, 212, 37, 77,
      105, 214, 191, 240, 91, 88, 5, 88, 83, 132, 141, 121,
    ]
    let app = PublicClientApplication(
      configuration: try TestApplication.configuration(),
      runtime: Runtime(randomBytes: { _ in bytes }, transport: authority))
    _ = try await app.acquireToken(
      InteractiveTokenParameters(scopes: ["User.Read"], session: authority.pages))
    #expect(
      authority.lastForm["code_verifier"] == "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
    #expect(
      authority.authorization["code_challenge"] == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
  }

  @Test("An authority that lists only 'plain' still gets S256")
  func neverPlain() async throws {
    authority.edit(.configuration) {
      $0["code_challenge_methods_supported"] = .array([.string("plain")])
    }
    _ = try await signIn()
    #expect(authority.authorization["code_challenge_method"] == "S256")
  }

  @Test(
    "A login hint stays one parameter, whatever it contains",
    arguments: ["a&state=evil", "a#b", "a\r\nSet-Cookie: x", "nul\u{0}", "emoji 🐧", "50%", "a+b c"])
  func hint(text: String) async throws {
    _ = try await signIn { $0.loginHint = text }
    let url = try #require(authority.pagesShown.first?.startURL)
    #expect(authority.authorization["login_hint"] == text)
    #expect(authority.authorization["state"] != "evil")
    #expect(url.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "#") })
  }

  @Test("The app sends no client secret")
  func noSecret() async throws {
    _ = try await signIn()
    #expect(authority.authorization["client_secret"] == nil)
    #expect(authority.lastForm["client_secret"] == nil)
    #expect(authority.calls.allSatisfy { $0.request.headerFields[.authorization] == nil })
    let error = await #expect(throws: AuthenticationError.self) {
      try await signIn { $0.extraQueryParameters = ["client_secret": "x"] }
    }
    #expect(error?.code == .invalidParameter)
  }

  @Test("A request that is too long is not opened")
  func tooLong() async throws {
    let error = await #expect(throws: AuthenticationError.self) {
      try await signIn {
        $0.claims = ClaimsRequest()
        $0.claims?[.idToken, String(repeating: "c", count: 8192)] = ClaimsRequest.Claim()
      }
    }
    #expect(error?.code == .invalidParameter)
    #expect(authority.pagesShown.isEmpty)
  }

  @Test("Line breaks in a correlation ID or in claims start no new header field")
  func lineEnds() async throws {
    _ = try await signIn {
      $0.correlationID = "id\r\nX-Evil: 1"
      $0.claims = ClaimsRequest()
      $0.claims?[.idToken, "a\r\nx=y\u{0}"] = ClaimsRequest.Claim()
    }
    #expect(authority.lastForm["claims"] == #"{"id_token":{"a\r\nx=y\u0000":null}}"#)
    for call in authority.calls {
      let value = try #require(call.request.headerFields[.clientRequestID])
      #expect(value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f })
      #expect(call.request.headerFields.allSatisfy { !$0.name.rawName.contains("Evil") })
    }
  }

  @Test("Claims are sent to the pages and to the token endpoint")
  func claims() async throws {
    let claims = "{\"id_token\":{\"nickname\":null}}"
    let request = try ClaimsRequest(json: claims)
    _ = try await signIn { $0.claims = request }
    #expect(authority.authorization["claims"] == claims)
    #expect(authority.lastForm["claims"] == claims)
  }

  @Test(
    "A scope of OpenID Connect alone, and a text that is no scope, cannot be requested",
    arguments: ["openid", "profile", "offline_access", "OpenID", "", "a b", "a\"b", "a\\b", "é"])
  func scopes(scope: String) async throws {
    let error = await #expect(throws: AuthenticationError.self) {
      try await signIn { $0.scopes = [scope] }
    }
    #expect(error?.code == .invalidParameter)
    #expect(authority.calls.isEmpty)
  }

  @Test("At least one scope is required, and duplicates are sent once")
  func scopeList() async throws {
    let error = await #expect(throws: AuthenticationError.self) {
      try await signIn { $0.scopes = [] }
    }
    #expect(error?.code == .invalidParameter)
    _ = try await signIn { $0.scopes = ["User.Read", "user.read", "Mail.Read"] }
    #expect(
      authority.authorization["scope"] == "User.Read Mail.Read openid profile offline_access")
  }
}
