import AuthCore
import CurlHTTP
import TestSupport
import Testing

@Suite("Trust in authorities and their metadata")
struct AuthorityTrustTests {
  func refusal(
    _ service: Service, isKnown: Bool? = nil, _ network: ScriptedAuthority
  ) async throws -> AuthenticationError {
    let app = try service.app(network, isKnown: isKnown)
    let error = await #expect(throws: AuthenticationError.self) {
      try await app.acquireToken(AuthorityFlowTests.interactive(network))
    }
    return try #require(error)
  }

  @Test(
    "Without instance discovery, the host must be a known authority",
    arguments: Service.all.filter(\.isOwn) + [
      Service(url: "https://contoso.ciamlogin.com:8443/contoso", kind: .externalID),
      Service(url: "https://a.b.ciamlogin.com/contoso", kind: .externalID),
      Service(url: "https://contoso.ciamlogin.com.evil.example/contoso", kind: .externalID),
      Service(url: "https://evil-b2clogin.com/contoso/policy", kind: .b2c),
      Service(url: "https://contoso.b2clogin.com.evil.example/contoso/policy", kind: .b2c),
      Service(url: "https://login.microsoftonline.com/", kind: .oidc),
    ])
  func unknown(service: Service) async throws {
    let network = try service.authority()
    let error = try await refusal(service, isKnown: false, network)
    #expect(error.code == .untrustedAuthority)
    #expect(error.step == .discovery)
    #expect(error.message.contains("Authority validation is not supported for this type"))
    #expect(network.calls.isEmpty, "nothing is sent")
    #expect(network.pagesShown.isEmpty, "no pages are opened")
  }

  @Test("An app of a sovereign cloud checks unknown hosts only with its own cloud")
  func sovereignDiscovery() async throws {
    let network = ScriptedAuthority()
    let app = try TestApplication.make(
      network, authority: "https://login.chinacloudapi.cn/common")
    var parameters = AuthorityFlowTests.interactive(network)
    parameters.authority = try Authority("https://login.contoso.example/common")
    await #expect(throws: AuthenticationError.self) { try await app.acquireToken(parameters) }
    #expect(network.calls.count == 1)
    #expect(
      network.calls.first?.url.hasPrefix(
        "https://login.partner.microsoftonline.cn/common/discovery/instance?") == true)
  }

  private static let unknownHost = Service(
    url: "https://login.contoso.example/common", kind: .entra)

  @Test(
    "Only Microsoft's JSON refuses a host",
    arguments: [
      (200, "{\"metadata\":[{\"aliases\":[\"login.microsoftonline.com\"]}]}"), (200, "{}"),
      (400, "{\"error\":\"invalid_instance\",\"error_description\":\"AADSTS50049\"}"),
    ])
  func refused(status: Int, body: String) async throws {
    let network = try Self.unknownHost.authority()
    network.next(.instance, status: status, body)
    let error = try await refusal(Self.unknownHost, network)
    #expect(error.code == .untrustedAuthority)
    #expect(error.message.contains("does not recognize “login.contoso.example”"))
    #expect(network.count(.configuration) == 0)
  }

  @Test(
    "An outage, or the page of a network, does not refuse a host",
    arguments: [
      (429, "{}", .serverUnavailable), (503, "", .serverUnavailable),
      (500, "{\"error\":\"server_error\"}", .serverUnavailable),
      (200, "<html>Sign in to this network</html>", .invalidResponse), (302, "", .invalidResponse),
      (400, "{\"error\":\"invalid_request\"}", .invalidResponse), (404, "{}", .invalidResponse),
    ] as [(Int, String, AuthenticationError.Code)])
  func notRefused(status: Int, body: String, code: AuthenticationError.Code) async throws {
    let network = try Self.unknownHost.authority()
    network.next(.instance, times: 2, status: status, body)
    let error = try await refusal(Self.unknownHost, network)
    #expect(error.code == code)
    #expect(error.step == .discovery)
    #expect(error.httpStatus == status)
    #expect(error.message.contains("could not be asked whether “login.contoso.example”"))
    #expect(error.message.contains("If you trust “login.contoso.example”, add it"))
    #expect(network.count(.configuration) == 0)
  }

  @Test("Another error of Microsoft's is reported as it is, not as a network error")
  func otherError() async throws {
    let network = try Self.unknownHost.authority()
    network.next(.instance, times: 2, status: 400, "{\"error\":\"invalid_request\"}")
    let error = try await refusal(Self.unknownHost, network)
    #expect(error.message.contains("refused the request (invalid_request)."))
    #expect(!error.message.contains("network"))
  }

  private static let id = Person.contoso
  private static let other = Person.fabrikam

  @Test(
    "The issuer must be the authority's",
    arguments: [
      (2, "https://contoso.ciamlogin.com/\(id)/v2.0"),
      (2, "https://\(other).ciamlogin.com/\(id)/v2.0"),
      (2, "https://\(id).ciamlogin.com/{tenantid}/v2.0"),
      (2, "https://\(id).ciamlogin.com/\(id)/v2.0/"),
      (2, "https://\(id).ciamlogin.com.evil.example/\(id)/v2.0"),
      (2, "https://login.microsoftonline.com/\(id)/v2.0"),
      (4, "https://contoso.b2clogin.com/\(id)/v2.0"),
      (4, "https://contoso.b2clogin.com/contoso.onmicrosoft.com/v2.0/"),
      (4, "https://fabrikam.b2clogin.com/\(id)/v2.0/"),
      (4, "https://contoso.b2clogin.com/{tenantid}/v2.0/"),
      (5, "https://contoso.b2clogin.com/tfp/\(id)/b2c_1_edit/v2.0/"),
      (6, "https://login.contoso.example/\(other)/v2.0/"),
      (7, "http://fs.contoso.example/adfs/services/trust"),
      (7, "https://fs.contoso.example/adfs/"), (7, "https://evil.example/adfs"),
      (8, "https://id.contoso.example/Realms/One/"), (8, "https://id.contoso.example/realms/one"),
      (8, "https://id.contoso.example/Realms/Two"), (9, "https://auth.contoso.example"),
    ])
  func foreignIssuer(index: Int, issuer: String) async throws {
    let service = Service.all[index]
    let network = try service.authority()
    network.edit(.configuration) { $0["issuer"] = .string(issuer) }
    let error = try await refusal(service, network)
    #expect(error.code == .untrustedAuthority)
    #expect(error.message.contains("its issuer is “\(issuer)”"))
    #expect(network.pagesShown.isEmpty)
  }

  @Test(
    "Endpoints must be on the authority's host", arguments: Service.all,
    ["https://evil.example/token", "http://@/token", "https://@.evil.example/token"])
  func foreignEndpoint(service: Service, url: String) async throws {
    let network = try service.authority()
    let url = url.replacing("@", with: network.host)
    network.edit(.configuration) { $0["token_endpoint"] = .string(url) }
    let error = try await refusal(service, network)
    #expect(error.code == .untrustedAuthority)
    #expect(error.message.contains("“token_endpoint”"))
    #expect(network.pagesShown.isEmpty)
  }

  @Test("An OpenID Connect provider's endpoints may be on other known hosts")
  func knownEndpoint() async throws {
    for (kind, url) in [(Authority.Kind.oidc, Service.oidc.url), (.adfs, Service.adfs.url)] {
      let network = try Service(url: url, kind: kind).authority()
      network.edit(.configuration) {
        $0["token_endpoint"] = .string("https://tokens.contoso.example/connect/token")
      }
      let app = try TestApplication.make(
        network, authority: url, known: [url, "https://tokens.contoso.example/adfs"], kind: kind)
      let parameters = AuthorityFlowTests.interactive(network)
      if kind == .oidc {
        _ = try await app.acquireToken(parameters)
      } else {
        await #expect(throws: AuthenticationError.self) { try await app.acquireToken(parameters) }
      }
    }
  }

  @Test(
    "An ID token has the requested issuer, tenant and policy",
    arguments: [
      (2, "iss", "https://contoso.ciamlogin.com/\(id)/v2.0"), (2, "tid", other), (2, "tid", nil),
      (3, "tid", "contoso.example"), (4, "iss", "https://contoso.b2clogin.com/\(id)/v2.0"),
      (4, "tid", other), (4, "tid", "contoso.example"), (4, "tfp", "b2c_1_edit"),
      (7, "iss", "http://fs.contoso.example/adfs/services/trust"), (7, "iss", nil),
      (8, "iss", "https://id.contoso.example/Realms/One/"), (8, "iss", nil), (8, "sub", nil),
      (8, "aud", "other"), (7, "nonce", "other"), (4, "nonce", nil),
    ] as [(Int, String, String?)])
  func foreignToken(index: Int, claim: String, value: String?) async throws {
    let service = Service.all[index]
    let network = try service.authority()
    network.edit(.claims) { $0[claim] = value.map(JSON.string) }
    #expect(try await refusal(service, network).code == .invalidIDToken)
  }

  @Test("B2C's ID token has a tenant only if the policy says so")
  func optionalTenant() async throws {
    let service = Service.all[4]
    let network = try service.authority()
    network.edit(.claims) { $0["tid"] = .null }
    _ = try await service.app(network).acquireToken(AuthorityFlowTests.interactive(network))
    network.edit(.claims) { $0["tid"] = .string(Person.contoso) }
    let result = try await service.app(network).acquireToken(
      AuthorityFlowTests.interactive(network))
    #expect(result.tenantID == Person.contoso)
  }

  @Test("A renewal must return the same subject", arguments: [Service.adfs, .oidc])
  func otherSubject(service: Service) async throws {
    let network = try service.authority()
    let app = try service.app(network)
    let account = try await app.acquireToken(AuthorityFlowTests.interactive(network)).account
    network.willSignIn(.ben)
    var silent = SilentTokenParameters(scopes: ["User.Read"], account: account)
    silent.forceRefresh = true
    let error = await #expect(throws: AuthenticationError.self) {
      try await app.acquireTokenSilent(silent)
    }
    #expect(error?.code == .accountMismatch)
    #expect(await app.accounts().count == 1)
  }
}
