import AuthCore
import CurlHTTP
import TestSupport
import Testing

@Suite("Authorities")
struct AuthorityTests {
  @Test(
    "An authority is a host and a tenant; the rest is dropped",
    arguments: [
      ("https://login.microsoftonline.com/common", "https://login.microsoftonline.com/common"),
      ("https://LOGIN.MicrosoftOnline.com/Common/", "https://login.microsoftonline.com/common"),
      ("HTTPS://login.microsoftonline.com/common", "https://login.microsoftonline.com/common"),
      ("https://login.microsoftonline.com:443/common", "https://login.microsoftonline.com/common"),
      ("https://localhost:8443/common", "https://localhost:8443/common"),
      (
        "https://login.microsoftonline.com/contoso.com/oauth2/v2.0?x=y#z",
        "https://login.microsoftonline.com/contoso.com"
      ),
      ("https://login.microsoftonline.com//common", "https://login.microsoftonline.com/common"),
    ])
  func accepted(url: String, normalized: String) throws {
    #expect(try Authority(url).description == normalized)
  }

  @Test(
    "An unusual URL is a configuration error",
    arguments: [
      "", "http://login.microsoftonline.com/common", "login.microsoftonline.com/common",
      "https://", "https:///common", "https://login.microsoftonline.com",
      "https://login.microsoftonline.com/", "https://login.microsoftonline.com?x",
      "https://user@login.microsoftonline.com/common", "https://u:p@host.example/common",
      "https://127.0.0.1/common", "https://[::1]/common", "https://2130706433/common",
      "https://login.microsoftonline.com./common", "https://login..com/common",
      "https://-a.com/common", "https://a-.com/common", "https://host:0/common",
      "https://host:/common", "https://host:65536/common", "https://host:+1/common",
      "https://login.microsoftonline.com\\@evil.example/common",
      "https://login.microsoftonline.com/..", "https://login.microsoftonline.com/../x",
      "https://login.microsoftonline.com/a%2fb", "https://login.microsoftonline.com/a\r\nb",
      "https://login.microsoftonline.com/a b", "https://login.microsoftonline.com/adfs",
      "https://lоgin.microsoftonline.com/common", "https://login.microsoftonline.com/\u{0}",
    ])
  func refused(url: String) {
    let error = #expect(throws: AuthenticationError.self) { try Authority(url) }
    #expect(error?.code == .invalidConfiguration)
    #expect(error?.message.contains("AAD") == false)
  }

  @Test("common, organizations and consumers are not a single tenant")
  func tenants() throws {
    for name in ["common", "organizations", "consumers"] {
      #expect(try !Authority("https://login.microsoftonline.com/\(name)").isTenanted)
    }
    #expect(try Authority("https://login.microsoftonline.com/contoso.com").isTenanted)
  }

  // MARK: - OpenID configuration

  let authority = ScriptedAuthority()

  func signIn(
    at url: String = "https://login.microsoftonline.com/common", known: [String] = []
  ) async throws -> AuthenticationResult {
    try await TestApplication.make(authority, authority: url, known: known).acquireToken(
      InteractiveTokenParameters(scopes: ["User.Read"], session: authority.pages))
  }

  func refusal(
    at url: String = "https://login.microsoftonline.com/common", known: [String] = []
  ) async throws -> AuthenticationError {
    let error = await #expect(throws: AuthenticationError.self) {
      try await signIn(at: url, known: known)
    }
    #expect(authority.pagesShown.isEmpty, "no pages are opened")
    #expect(authority.count(.token) == 0)
    #expect(error?.step == .discovery)
    #expect(error?.correlationID?.isEmpty == false)
    return try #require(error)
  }

  @Test("The OpenID configuration is fetched once, not for every request")
  func discoveryIsKept() async throws {
    let app = try TestApplication.make(authority)
    for _ in 1...3 {
      _ = try await app.acquireToken(
        .init(scopes: ["User.Read"], session: authority.pages))
    }
    #expect(authority.count(.configuration) == 1)
  }

  @Test("An untrusted configuration is not cached")
  func discoveryIsNotPoisoned() async throws {
    let app = try TestApplication.make(authority)
    authority.next(.configuration, status: 200, type: "text/html", "<title>Hotel</title>")
    await #expect(throws: AuthenticationError.self) {
      try await app.acquireToken(.init(scopes: ["User.Read"], session: authority.pages))
    }
    _ = try await app.acquireToken(.init(scopes: ["User.Read"], session: authority.pages))
  }

  @Test(
    "Hosts are compared as a whole",
    arguments: [
      "login.microsoftonline.com.evil.example", "evil-login.microsoftonline.com",
      "microsoftonline.com", "login.microsoftonline.com:8443",
    ])
  func lookAlikeHost(host: String) async throws {
    #expect(try await refusal(at: "https://\(host)/common").code == .untrustedAuthority)
  }

  @Test("A host confirmed by Microsoft or the app's configuration is accepted")
  func vouchedFor() async throws {
    let host = "login.contoso.example"
    let own = ScriptedAuthority(host: host)
    own.next(.instance, status: 200, "{\"metadata\":[{\"aliases\":[\"\(host)\"]}]}")
    for known in [[], ["https://\(host)/common"]] {
      let app = try TestApplication.make(own, authority: "https://\(host)/common", known: known)
      _ = try await app.acquireToken(.init(scopes: ["User.Read"], session: own.pages))
    }
    #expect(own.count(.instance) == 1)
  }

  @Test(
    "Endpoints and issuer must be the authority's own",
    arguments: [
      ("token_endpoint", "https://evil.example/token"),
      ("token_endpoint", "http://login.microsoftonline.com/token"),
      ("token_endpoint", "https://login.microsoftonline.com.evil.example/token"),
      ("token_endpoint", "https://login.microsoftonline.com@evil.example/token"),
      ("token_endpoint", "https://login.microsoftonline.com:444/token"),
      ("token_endpoint", "https://login.microsoftonline.us/token"), ("token_endpoint", nil),
      ("authorization_endpoint", "javascript:alert(1)"),
      ("authorization_endpoint", "https://login.microsoftonline.com/a\r\nb"),
      ("authorization_endpoint", "https://login.microsoftonline.com/a#b"),
      ("authorization_endpoint", nil), ("end_session_endpoint", "https://evil.example/logout"),
      ("issuer", nil), ("issuer", "https://evil.example/{tenantid}/v2.0"),
      ("issuer", "https://login.microsoftonline.com/contoso.example/v2.0"),
      ("issuer", "https://login.microsoftonline.com/{tenantid}/v1.0"),
    ] as [(String, String?)])
  func foreignEndpoint(member: String, url: String?) async throws {
    authority.edit(.configuration) { $0[member] = url.map(JSON.string) }
    #expect(try await refusal().code == .untrustedAuthority)
  }

  @Test(
    "A missing configuration is an error",
    arguments: [
      (302, "", .invalidResponse), (404, "{}", .invalidResponse),
      (200, "<html>", .invalidResponse),
    ] as [(Int, String, AuthenticationError.Code)])
  func unavailable(status: Int, body: String, code: AuthenticationError.Code) async throws {
    authority.next(.configuration, status: status, body)
    let error = try await refusal()
    #expect(error.code == code)
    #expect(error.httpStatus == status)
    #expect(authority.count(.configuration) == 1)
  }

  @Test("A service that knows no such tenant says so, with what support needs")
  func unknownTenant() async throws {
    // What login.microsoftonline.com answers.
    authority.next(
      .configuration, status: 400,
      #"{"error":"invalid_tenant","error_description":"AADSTS90002: Tenant 'nosuch.example' not "#
        + #"found.","error_codes":[90002],"correlation_id":"c-1"}"#)
    let error = try await refusal(at: "https://login.microsoftonline.com/nosuch.example")
    #expect(error.code == .serverError && error.httpStatus == 400)
    #expect(error.sentence == ErrorGuidance(code: 90002)?.sentence)
    #expect(error.nextStep == .correctConfiguration)
    #expect(error.serverErrorCodes == [90002] && error.oauthError == "invalid_tenant")
    #expect(error.serverDescription == "AADSTS90002: Tenant 'nosuch.example' not found.")
    #expect(error.correlationID == "c-1")
  }

  @Test(
    "The error of another service is among the details, and is not one of a token request",
    arguments: [
      ("Realm does not exist", "Realm does not exist"), ("invalid_grant", nil),
      ("login_required", nil),
    ] as [(String, String?)])
  func otherRefusal(name: String, detail: String?) async throws {
    authority.next(
      .configuration, status: 404, #"{"error":"\#(name)","suberror":"bad_token"}"#)
    let error = try await refusal()
    #expect(error.code == .invalidResponse && error.oauthError == detail)
    #expect(error.suberror == nil)
    #expect(error.message.contains("did not return the configuration"))
    #expect(error.nextStep == .correctConfiguration, "no sign-in can help")
  }
}
