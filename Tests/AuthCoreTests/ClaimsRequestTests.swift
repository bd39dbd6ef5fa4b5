import AuthCore
import TestSupport
import Testing

@Suite("Claims requests")
struct ClaimsRequestTests {
  let authority = ScriptedAuthority()

  func app(capabilities: [String]) throws -> PublicClientApplication {
    var configuration = try TestApplication.configuration()
    configuration.clientCapabilities = capabilities
    let clock = ManualClock()
    return PublicClientApplication(
      configuration: configuration,
      runtime: Runtime(now: { clock.now }, sleep: { _ in }, transport: authority))
  }

  func signIn(
    _ app: PublicClientApplication, claims: ClaimsRequest? = nil
  ) async throws -> Account {
    var parameters = InteractiveTokenParameters(scopes: ["User.Read"], session: authority.pages)
    parameters.claims = claims
    return try await app.acquireToken(parameters).account
  }

  // MARK: - Claims

  @Test("The example of OpenID Connect Core, section 5.5, is preserved with sorted names")
  func example() throws {
    let claims = try ClaimsRequest(
      json: """
        {
         "userinfo": {
          "given_name": {"essential": true}, "nickname": null,
          "http://example.info/claims/groups": null
         },
         "id_token": {
          "auth_time": {"essential": true},
          "acr": {"values": ["urn:mace:incommon:iap:silver"]}
         }
        }
        """)
    #expect(claims[.idToken, "auth_time"] == .init(isEssential: true))
    #expect(claims[.idToken, "acr"] == .init(values: [.string("urn:mace:incommon:iap:silver")]))
    #expect(claims[.accessToken, "acr"] == nil)
    #expect(
      claims.json == """
        {"id_token":{"acr":{"values":["urn:mace:incommon:iap:silver"]},\
        "auth_time":{"essential":true}},\
        "userinfo":{"given_name":{"essential":true},"http://example.info/claims/groups":null,\
        "nickname":null}}
        """)
    #expect(try ClaimsRequest(json: claims.json) == claims)
  }

  @Test("Unknown members from a server are sent back unchanged")
  func extensions() throws {
    let text =
      "{\"access_token\":{\"nbf\":{\"essential\":true,\"reason\":{\"a\":1,\"b\":2.50},"
      + "\"value\":\"1604106651\"}}}"
    let claims = try ClaimsRequest(json: text)
    #expect(claims[.accessToken, "nbf"]?.value == .string("1604106651"))
    #expect(claims.json == text)
  }

  @Test(
    "A malformed claims request is rejected",
    arguments: [
      "", "x", "[]", "null", "\"text\"", "{} x", "{\"id_token\":[]}", "{\"id_token\":\"a\"}",
      "{\"id_token\":{\"a\":1}}", "{\"id_token\":{\"a\":{\"essential\":\"yes\"}}}",
      "{\"id_token\":{\"a\":{\"values\":\"b\"}}}", "{\"id_token\":{},\"id_token\":{}}",
      "{\"id_token\":{\"\(String(repeating: "a", count: 16_384))\":null}}",
    ])
  func malformed(text: String) {
    let error = #expect(throws: AuthenticationError.self) { try ClaimsRequest(json: text) }
    #expect(error?.code == .invalidParameter)
  }

  // MARK: - Capabilities

  @Test("A capability that the caller requests too is sent once")
  func once() async throws {
    var claims = ClaimsRequest()
    claims[.accessToken, "xms_cc"] = .init(values: [.string("CP1")])
    _ = try await signIn(app(capabilities: ["CP1", "llt"]), claims: claims)
    #expect(
      authority.lastForm["claims"]
        == "{\"access_token\":{\"xms_cc\":{\"values\":[\"CP1\",\"llt\"]}}}")
  }

  @Test("Without claims and capabilities, no parameter is sent")
  func nothing() async throws {
    _ = try await signIn(app(capabilities: []), claims: ClaimsRequest())
    #expect(authority.authorization["claims"] == nil)
    #expect(authority.lastForm["claims"] == nil)
  }

  @Test("Capabilities do not disable the cache; they are sent with a refresh")
  func cache() async throws {
    let app = try app(capabilities: ["CP1"])
    var parameters = SilentTokenParameters(scopes: ["User.Read"], account: try await signIn(app))
    #expect(try await app.acquireTokenSilent(parameters).source == .cache)
    parameters.claims = ClaimsRequest()
    #expect(try await app.acquireTokenSilent(parameters).source == .cache)
    parameters.forceRefresh = true
    #expect(try await app.acquireTokenSilent(parameters).source == .server)
    #expect(
      authority.lastForm["claims"] == "{\"access_token\":{\"xms_cc\":{\"values\":[\"CP1\"]}}}")
  }

  @Test("Requested claims bypass the cache")
  func pastCache() async throws {
    let app = try app(capabilities: [])
    var parameters = SilentTokenParameters(scopes: ["User.Read"], account: try await signIn(app))
    parameters.claims = ClaimsRequest()
    parameters.claims?[.idToken, "nickname"] = .init()
    #expect(try await app.acquireTokenSilent(parameters).source == .server)
  }

  // MARK: - Claims from the server

  @Test("The claims of an error can be requested unchanged")
  func refusal() async throws {
    let app = try app(capabilities: ["CP1"])
    var parameters = SilentTokenParameters(scopes: ["User.Read"], account: try await signIn(app))
    parameters.forceRefresh = true
    let claims = "{\"access_token\":{\"capolids\":{\"essential\":true,\"values\":[\"id\"]}}}"
    authority.next(.token) { _ in
      .json(
        ["error": .string("interaction_required"), "claims": .string(claims)], status: 400)
    }
    let error = await #expect(throws: AuthenticationError.self) {
      try await app.acquireTokenSilent(parameters)
    }
    #expect(error?.claims?.json == claims)
    _ = try await signIn(app, claims: error?.claims)
    #expect(authority.lastForm["claims"]?.contains("capolids") == true)
    #expect(authority.lastForm["claims"]?.contains("xms_cc") == true)
  }

  @Test("Unreadable claims are omitted from the error", arguments: ["", "{", "[]"])
  func badRefusal(claims: String) async throws {
    authority.next(.token) { _ in
      .json(
        ["error": .string("interaction_required"), "claims": .string(claims)], status: 400)
    }
    let error = await #expect(throws: AuthenticationError.self) {
      try await signIn(app(capabilities: []))
    }
    #expect(error?.code == .interactionRequired)
    #expect(error?.claims == nil)
  }
}
