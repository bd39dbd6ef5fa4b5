import AuthCore
import CurlHTTP
import HTTPTypes
import TestSupport
import Testing

extension AuthorityKindTests {
  func expectFault(
    _ words: String, in url: String, kind: Authority.Kind? = nil,
    at location: SourceLocation = #_sourceLocation
  ) {
    let error = #expect(throws: AuthenticationError.self, sourceLocation: location) {
      try Authority(url, kind: kind)
    }
    #expect(error?.code == .invalidConfiguration, sourceLocation: location)
    #expect(error?.message.contains(words) == true, sourceLocation: location)
  }

  @Test("An authority is https and has a tenant; AD FS's path makes another kind")
  func httpsAndTenant() {
    expectFault("it must have a tenant", in: "https://login.microsoftonline.com")
    expectFault("it must use https", in: "http://login.microsoftonline.com/common")
    expectFault("it is empty", in: "")
    expectFault(
      "AD FS is a different kind of service", in: "https://fs.contoso.example/adfs", kind: .entra)
  }

  @Test("A B2C authority has a tenant and a policy, and nothing more")
  func tenantAndPolicy() throws {
    expectFault(
      "its path must have at least three segments, such as"
        + " https://TENANT.b2clogin.com/tfp/TENANT/POLICY",
      in: "https://login.microsoftonline.com/tfp/tenant")
    let authority = try Authority(
      "https://login.microsoftonline.com/tfp/tenant/policy/qwe?bad=param")
    #expect(authority.description == "https://login.microsoftonline.com/tfp/tenant/policy")
    #expect(authority.kind == .b2c)
  }

  @Test(
    "The tenant of External ID is in the host", arguments: ["", "/", "?bad=param"])
  func tenantInHost(end: String) throws {
    let authority = try Authority("https://msidlab1.ciamlogin.com\(end)")
    #expect(
      authority.description == "https://msidlab1.ciamlogin.com/msidlab1.onmicrosoft.com")
    #expect(authority.kind == .externalID)
  }

  @Test("External ID requires a tenant")
  func externalIDNeedsTenant() {
    expectFault(
      "its host name must have three parts, such as https://TENANT.ciamlogin.com",
      in: "https://ciamlogin.com/")
  }
}

extension AuthorityTests {
  @Test("An authority may send users to another host of its cloud")
  func otherHostOfCloud() async throws {
    authority.edit(.configuration) {
      $0["issuer"] = .string("https://login.microsoftonline.com/{tenantid}/v2.0")
    }
    _ = try await signIn(at: "https://login.windows.net/common")
    #expect(
      authority.pagesShown.first?.startURL.hasPrefix("https://login.microsoftonline.com/") == true)
  }

  @Test("For a known host, only the OpenID configuration is requested")
  func knownHost() async throws {
    _ = try await signIn()
    #expect(
      authority.calls.map(\.url).first
        == "https://login.microsoftonline.com/common/v2.0/.well-known/openid-configuration")
    #expect(authority.count(.instance) == 0)
  }

  @Test("An unknown host is checked with instance discovery")
  func unknownHost() async throws {
    let error = try await refusal(at: "https://login.contoso.example/common")
    #expect(error.code == .untrustedAuthority)
    #expect(
      authority.calls.map(\.url) == [
        "https://login.microsoftonline.com/common/discovery/instance?api-version=1.1"
          + "&authorization_endpoint="
          + "https%3A%2F%2Flogin.contoso.example%2Fcommon%2Foauth2%2Fv2.0%2Fauthorize"
      ])
  }
}

extension CloudTests {
  @Test("Requests go to the preferred host, whichever host of the cloud is given")
  func preferredHost() async throws {
    let app = try app(authority: "https://login.windows.net/common", severalClouds: false)
    let result = try await app.acquireToken(
      .init(scopes: ["User.Read"], session: clouds.worldwide.pages))
    #expect(clouds.urls.allSatisfy { $0.hasPrefix("https://login.microsoftonline.com/") })
    #expect(
      clouds.worldwide.pagesShown.first?.startURL.hasPrefix("https://login.microsoftonline.com/")
        == true)
    #expect(await app.accounts() == [result.account])
  }

  @Test("The cloud's host in the redirect moves 'common' to that cloud")
  func hostInRedirect() async throws {
    let clouds = Clouds(government: "login.microsoftonline.de")
    var configuration = try TestApplication.configuration()
    configuration.multipleCloudsSupported = true
    let app = PublicClientApplication(
      configuration: configuration, runtime: Runtime(transport: clouds))
    let result = try await app.acquireToken(
      .init(scopes: ["User.Read"], session: clouds.pages(naming: "login.microsoftonline.de")))
    #expect(
      clouds.government.calls.map(\.url).first
        == "https://login.microsoftonline.de/common/v2.0/.well-known/openid-configuration")
    #expect(clouds.government.count(.token) == 1)
    #expect(clouds.worldwide.count(.token) == 0)
    #expect(result.account.environment == "login.microsoftonline.de")
  }

  @Test("An account of another cloud gets its tokens there, now and later")
  func tokensOfOtherCloud() async throws {
    let store = MemoryTokenCacheStore()
    let app = try app(store: store)
    let result = try await signIn(app)
    #expect(result.account.environment == "login.microsoftonline.us")
    #expect(clouds.worldwide.authorization["instance_aware"] == "true")
    #expect(clouds.worldwide.count(.token) == 0)
    #expect(
      Set(clouds.government.calls.map(\.url)) == [
        "https://login.microsoftonline.us/common/v2.0/.well-known/openid-configuration",
        "https://login.microsoftonline.us/common/oauth2/v2.0/token",
        "https://login.microsoftonline.us/discovery/v2.0/keys",
      ])

    // A new run of the app: the token is cached, and renewed in that cloud.
    let later = try self.app(store: store)
    let account = try #require(await later.accounts().first)
    let calls = clouds.urls.count
    let asked = SilentTokenParameters(scopes: ["User.Read"], account: account)
    #expect(try await later.acquireTokenSilent(asked).source == .cache)
    #expect(clouds.urls.count == calls, "a cached token needs no request")
    clock.advance(by: 3600)
    #expect(try await later.acquireTokenSilent(asked).source == .server)
    #expect(clouds.worldwide.count(.token) == 0)

    let goodbye = clouds.worldwide.pages { "state=\($0["state"] ?? "")" }
    _ = try await later.signOut(account, parameters: SignOutParameters(session: goodbye))
    #expect(
      clouds.worldwide.pagesShown.last?.startURL.hasPrefix(
        "https://login.microsoftonline.us/common/oauth2/v2.0/logout?") == true)
  }

  @Test(
    "Any other host is ignored",
    arguments: [
      "evil.example", "login.microsoftonline.us.evil.example", "login.microsoftonline.us:8443",
      "login.windows.net", "login.microsoftonline.com", "", "login.microsoftonline.us%2F",
      "contoso.ciamlogin.com", "LOGIN.MICROSOFTONLINE.US%00",
    ])
  func ignoresOtherHosts(host: String) async throws {
    let result = try await signIn(try app(), naming: host)
    #expect(result.account.environment == "login.microsoftonline.com")
    #expect(clouds.government.calls.isEmpty)
    #expect(clouds.urls.allSatisfy { $0.hasPrefix("https://login.microsoftonline.com/") })
  }
}

extension RedirectTests {
  @Test(
    "Without multiple clouds, a redirect cannot change the token endpoint's host",
    arguments: ["evil.example", "login.microsoftonline.us"])
  func keepsTokenEndpoint(host: String) async throws {
    // MSAL accepts the host of any known cloud; here, other clouds need other connections.
    _ = try await signIn(
      authority.pages {
        "code=c&cloud_instance_host_name=\(host)&state=\($0["state"] ?? "")"
      })
    #expect(authority.calls.allSatisfy { $0.request.authority == authority.host })
  }
}

extension AuthorityTrustTests {
  @Test(
    "The URL of the OpenID configuration is below the authority's",
    arguments: [
      (0, "https://login.microsoftonline.com/common/v2.0/"),
      (2, "https://contoso.ciamlogin.com/contoso.onmicrosoft.com/v2.0/"),
      (4, "https://contoso.b2clogin.com/contoso.onmicrosoft.com/b2c_1_in/v2.0/"),
      (5, "https://contoso.b2clogin.com/tfp/contoso.onmicrosoft.com/b2c_1_in/v2.0/"),
      (7, "https://fs.contoso.example/adfs/"), (8, "https://id.contoso.example/Realms/One/"),
      (9, "https://auth.contoso.example/"),
    ])
  func configurationURL(index: Int, base: String) async throws {
    let service = Service.all[index]
    let network = try service.authority()
    _ = try await service.app(network).acquireToken(AuthorityFlowTests.interactive(network))
    #expect(network.calls.first?.url == base + ".well-known/openid-configuration")
  }
}
