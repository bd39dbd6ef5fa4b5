import AuthCore
import CurlHTTP
import TestSupport
import Testing

extension AuthorityKindTests {
  @Test(
    "For every kind, an unusual URL is a configuration error",
    arguments: Authority.Kind.allCases,
    [
      "http://host.example/adfs/b/c", "ftp://host.example/adfs/b/c", "host.example/adfs/b/c",
      "https://u@host.example/adfs/b/c", "https://127.0.0.1/adfs/b/c",
      "https://host.example./adfs/b/c", "https://host.example:0/adfs/b/c",
      "https://host.example/../b/c", "https://host.example/%2f/b/c",
      "https://host.example/tfp\r\n/b/c", "https://host.example/ad fs/b/c",
      "https://host.example\\@evil.example/adfs/b/c", "https://hоst.example/adfs/b/c",
    ])
  func unusualURL(kind: Authority.Kind, url: String) {
    let error = #expect(throws: AuthenticationError.self) { try Authority(url, kind: kind) }
    #expect(error?.code == .invalidConfiguration)
  }
}

extension RedirectURITests {
  @Test("An app keeps all of its configuration")
  func keepsConfiguration() throws {
    let known = try Authority("https://login.contoso.example/contoso")
    let configuration = try PublicClientApplicationConfiguration(
      clientID: TestApplication.clientID, redirectURI: RedirectURI(TestApplication.redirectURI),
      authority: known, knownAuthorities: [known], caFile: "/etc/ssl/contoso.pem",
      isSharedDevice: true, clientCapabilities: ["CP1"])
    let kept = PublicClientApplication(configuration: configuration).configuration
    #expect(kept == configuration)
    #expect(kept.knownAuthorities == [known])
    #expect(kept.caFile == "/etc/ssl/contoso.pem")
    #expect(kept.isSharedDevice)
    #expect(kept.clientCapabilities == ["CP1"])
  }
}

extension AuthorizationRequestTests {
  @Test("The configuration is a value: changing a copy changes no app")
  func configurationIsValue() async throws {
    let app = try TestApplication.make(authority)
    var copy = app.configuration
    copy.clientID = "other"
    copy.authority = try Authority("https://login.microsoftonline.com/organizations")
    copy.clientCapabilities = ["CP1"]
    _ = try await app.acquireToken(.init(scopes: ["User.Read"], session: authority.pages))
    #expect(authority.authorization["client_id"] == TestApplication.clientID)
    #expect(authority.authorization["claims"] == nil)
    #expect(authority.pagesShown.first?.startURL.contains("/common/") == true)
    let original = try TestApplication.configuration()
    #expect(app.configuration == original)
  }
}

extension TokenResponseTests {
  @Test(
    "Network errors in any step become AuthCore's own errors",
    arguments: [
      (.instance, .discovery), (.configuration, .discovery), (.deviceCode, .authorization),
      (.token, .token),
    ] as [(ScriptedAuthority.Endpoint, AuthenticationError.Step)],
    [HTTPError.Code.cannotFindHost, .tlsFailure, .bodyTooLarge, .proxyFailure])
  func networkErrors(
    place: (endpoint: ScriptedAuthority.Endpoint, step: AuthenticationError.Step),
    code: HTTPError.Code
  ) async throws {
    authority.next(place.endpoint, times: 2) { _ throws(HTTPError) in
      throw HTTPError(code, host: "h", message: "It did not work.")
    }
    let host = place.endpoint == .instance ? "login.contoso.example" : authority.host
    // The built-in configuration is enough for 'common', but not for a tenant's name.
    let tenant = place.endpoint == .configuration ? "contoso.com" : "common"
    let app = try TestApplication.make(authority, authority: "https://\(host)/\(tenant)")
    let error = await #expect(throws: AuthenticationError.self) {
      if place.endpoint == .deviceCode {
        try await app.acquireToken(DeviceCodeTokenParameters(scopes: ["User.Read"]) { _ in })
      } else {
        try await app.acquireToken(.init(scopes: ["User.Read"], session: authority.pages))
      }
    }
    #expect(error?.step == place.step)
    // An error while Microsoft is asked about a host also says which host that was.
    #expect(error?.message.contains("It did not work.") == true)
    #expect(error?.correlationID?.isEmpty == false)
  }

  @Test("Percent signs in a description are ordinary characters")
  func percentSigns() async throws {
    let words = "AADSTS50000: 50% of 1+1 is %zz, %41 and 100%."
    authority.next(.token) { _ in
      .json(
        ["error": .string("invalid_request"), "error_description": .string(words)], status: 400)
    }
    #expect(try await refusal().serverDescription == words)
  }
}

extension ClaimsRequestTests {
  @Test("A claims request is empty after its last claim is removed")
  func emptyAfterRemoval() throws {
    var claims = ClaimsRequest()
    #expect(claims.isEmpty)
    claims[.accessToken, "polids"] = .init()
    #expect(!claims.isEmpty)
    claims[.accessToken, "polids"] = nil
    #expect(claims.isEmpty)
    #expect(claims == ClaimsRequest())
    #expect(claims.json == "{}")
    #expect(try ClaimsRequest(json: "{\"id_token\":{},\"access_token\":null}").isEmpty)
  }

  @Test("Copies are independent")
  func independentCopies() {
    var first = ClaimsRequest()
    first[.idToken, "nickname"] = .init()
    var second = first
    second[.idToken, "nickname"]?.isEssential = true
    second[.accessToken, "polids"] = .init()
    #expect(first.json == "{\"id_token\":{\"nickname\":null}}")
  }

  @Test("Adding capabilities does not change the caller's claims")
  func keepsCallersClaims() async throws {
    var claims = ClaimsRequest()
    claims[.accessToken, "polids"] = .init(isEssential: true)
    let before = claims
    _ = try await signIn(app(capabilities: ["cp1", "llt"]), claims: claims)
    #expect(authority.lastForm["claims"]?.contains("xms_cc") == true)
    #expect(claims == before)
    #expect(!claims.json.contains("xms_cc"))
  }
}

extension RedirectTests {
  @Test("A description that cannot be decoded is still reported")
  func undecodableDescription() async throws {
    let error = try await refusal(
      authority.pages { "error=server_error&error_description=50%&state=\($0["state"] ?? "")" })
    #expect(error.code == .invalidResponse)
    #expect(error.message.contains("returned an invalid response"))
  }

  @Test("An error with the right state is reported as the server's")
  func errorWithState() async throws {
    let error = try await refusal(
      authority.pages {
        "error=server_error&error_description=AADSTS90033:+Sorry&state=\($0["state"] ?? "")"
      })
    #expect(error.code == .serverError)
    #expect(error.oauthError == "server_error")
    #expect(error.serverErrorCodes == [90033])
  }

  /// A server includes the state in errors too (RFC 6749, section 4.1.2.1).
  @Test(
    "An error without the state is not attributed to the server",
    arguments: ["&state=x", ""])
  func errorWithoutState(state: String) async throws {
    let error = try await refusal(
      authority.pages { _ in "error=access_denied&error_description=Call+0900\(state)" })
    #expect(error.code == .invalidState)
    #expect(error.serverDescription == nil)
    #expect(!error.message.contains("0900"))
  }
}

extension SilentTests {
  @Test(
    "A user has one account in a cloud, under any of its hosts",
    arguments: [
      "login.microsoftonline.com", "login.windows.net", "login.microsoft.com", "sts.windows.net",
    ])
  func oneAccountInCloud(host: String) async throws {
    let account = try await signIn()
    let calls = authority.calls.count
    let next = try TestApplication.make(
      authority, clock: clock, store: store, authority: "https://\(host)/common")
    #expect(await next.accounts() == [account])
    let cached = try await next.acquireTokenSilent(.init(scopes: ["User.Read"], account: account))
    #expect(cached.source == .cache)
    #expect(authority.calls.count == calls)
    try await next.remove(account)
    #expect(store.records.isEmpty)
  }
}

extension AccountTests {
  @Test("Accounts are compared and hashed by ID and cloud")
  func equalityByIDAndCloud() async throws {
    let adele = try await signIn(.adele)
    let ben = try await signIn(.ben)
    let government = ScriptedAuthority(host: "login.microsoftonline.us")
    let app = try TestApplication.make(
      government, authority: "https://login.microsoftonline.us/common")
    let other = try await app.acquireToken(
      .init(scopes: ["User.Read"], session: government.pages)
    ).account
    #expect(other.id == adele.id)
    #expect(other != adele)
    #expect(Set([adele, ben, other]).count == 3)
    #expect(
      Set([adele, ben, other].map(\.hashValue)).count > 1, "the accounts have different hashes")
  }

  @Test("The user name does not count")
  func equalityWithoutName() async throws {
    let adele = try await signIn(.adele)
    var renamed = Person.adele
    renamed.username = "adele.new@contoso.example"
    let again = try await signIn(renamed)
    #expect(again == adele)
    #expect(Set([again, adele]).count == 1)
    #expect(await app.accounts().map(\.username) == ["adele.new@contoso.example"])
  }
}

extension RedirectURITests {
  @Test(
    "Loopback redirect URIs are accepted",
    arguments: [
      "http://localhost", "http://localhost:8400", "http://localhost/",
      "http://localhost:8400/path", "http://127.0.0.1:1",
    ])
  func loopbackRedirectURI(uri: String) throws {
    try expectRedirect(uri)
    let configuration = try PublicClientApplicationConfiguration(
      clientID: TestApplication.clientID, redirectURI: RedirectURI(uri))
    #expect(configuration.authority == .common)
  }

  /// It would need pages that can be intercepted, which only an embedded window can do.
  @Test("A redirect URI of a website is rejected with the reason")
  func websiteRedirectURI() {
    let error = #expect(throws: AuthenticationError.self) {
      try RedirectURI("https://login.microsoftonline.com/common/oauth2/nativeclient")
    }
    #expect(error?.code == .invalidConfiguration)
    #expect(error?.message.contains("cannot receive “https” redirects") == true)
  }
}
