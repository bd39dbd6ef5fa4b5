import AuthCore
import CurlHTTP
import FoundationEssentials
import HTTPTypes
import TestSupport
import Testing

/// Microsoft's clouds, each with a scripted authority.
final class Clouds: HTTPTransport {
  let worldwide = ScriptedAuthority()
  let government: ScriptedAuthority

  init(government: String = "login.microsoftonline.us") {
    self.government = ScriptedAuthority(host: government)
  }

  func execute(
    _ request: HTTPRequest, body: Data, limits: HTTPLimits
  ) async throws(HTTPError) -> HTTPReply {
    guard request.authority == government.host else {
      return try await worldwide.execute(request, body: body, limits: limits)
    }
    return try await government.execute(request, body: body, limits: limits)
  }

  /// The requested URLs in all clouds.
  var urls: [String] { (worldwide.calls + government.calls).map(\.url) }

  /// Pages whose redirect names the account's cloud.
  func pages(naming host: String, more: String = "") -> ScriptedPages {
    ScriptedPages { [self] request throws(AuthenticationError) in
      // Both are involved: one shows the pages, the other redeems the code.
      let answer = "code=code-canary&cloud_instance_host_name=\(host)\(more)"
      _ = try await government.pages { "\(answer)&state=\($0["state"] ?? "")" }
        .authenticate(request)
      return try await worldwide.pages { "\(answer)&state=\($0["state"] ?? "")" }
        .authenticate(request)
    }
  }
}

@Suite("Microsoft's clouds")
struct CloudTests {
  let clouds = Clouds()
  let clock = ManualClock()

  func app(
    authority: String = "https://login.microsoftonline.com/common", severalClouds: Bool = true,
    known: [String] = [], kind: Authority.Kind? = nil,
    store: any TokenCacheStore = MemoryTokenCacheStore()
  ) throws -> PublicClientApplication {
    var configuration = try TestApplication.configuration(
      authority: authority, known: known, kind: kind)
    configuration.multipleCloudsSupported = severalClouds
    let clock = clock
    return PublicClientApplication(
      configuration: configuration, store: store,
      runtime: Runtime(now: { clock.now }, sleep: { _ in }, transport: clouds))
  }

  func signIn(
    _ app: PublicClientApplication, naming host: String = "login.microsoftonline.us",
    more: String = ""
  ) async throws -> AuthenticationResult {
    try await app.acquireToken(
      InteractiveTokenParameters(
        scopes: ["User.Read"], session: clouds.pages(naming: host, more: more)))
  }

  // MARK: - Multiple clouds

  @Test("An app without multiple clouds does not request them, and stays in its cloud")
  func oneCloud() async throws {
    let result = try await signIn(try app(severalClouds: false))
    #expect(result.account.environment == "login.microsoftonline.com")
    #expect(clouds.worldwide.authorization["instance_aware"] == nil)
    #expect(clouds.government.calls.isEmpty)
  }

  @Test("Callers cannot enable multiple clouds with a query parameter")
  func reserved() async throws {
    var parameters = InteractiveTokenParameters(
      scopes: ["User.Read"], session: clouds.pages(naming: "login.microsoftonline.us"))
    parameters.extraQueryParameters = ["instance_aware": "true"]
    let error = await #expect(throws: AuthenticationError.self) {
      try await app().acquireToken(parameters)
    }
    #expect(error?.code == .invalidParameter)
  }

  @Test("Other kinds have no clouds", arguments: [Service.adfs, .oidc])
  func otherKinds(service: Service) async throws {
    let network = try service.authority()
    var configuration = try TestApplication.configuration(
      authority: service.url, known: [service.url], kind: service.kind)
    configuration.multipleCloudsSupported = true
    let app = PublicClientApplication(
      configuration: configuration, runtime: Runtime(sleep: { _ in }, transport: network))
    let session = network.pages {
      "code=c&cloud_instance_host_name=login.microsoftonline.us&state=\($0["state"] ?? "")"
    }
    let result = try await app.acquireToken(.init(scopes: ["User.Read"], session: session))
    #expect(result.account.environment.hasPrefix(network.host))
    #expect(network.authorization["instance_aware"] == nil)
  }

  @Test("The issuer of the response is the account's cloud (RFC 9207)")
  func issuer() async throws {
    let us = "https://login.microsoftonline.us/\(Person.contoso)/v2.0"
    _ = try await signIn(try app(), more: "&iss=\(us)")
    clouds.worldwide.edit(.configuration) {
      $0["authorization_response_iss_parameter_supported"] = .bool(true)
    }
    for more in ["&iss=https://login.microsoftonline.com/\(Person.contoso)/v2.0", ""] {
      let app = try app()
      let tokens = clouds.government.count(.token)
      let error = await #expect(throws: AuthenticationError.self) {
        try await signIn(app, more: more)
      }
      #expect(error?.code == .invalidResponse)
      #expect(clouds.government.count(.token) == tokens)
    }
  }

  @Test("A token signed by another cloud is rejected")
  func tokenOfOtherCloud() async throws {
    clouds.government.edit(.claims) {
      $0["iss"] = .string("https://login.microsoftonline.com/\(Person.contoso)/v2.0")
    }
    let app = try app()
    let error = await #expect(throws: AuthenticationError.self) { try await signIn(app) }
    #expect(error?.code == .invalidIDToken)
    #expect(await app.accounts().isEmpty)
  }

  // MARK: - A cloud without an OpenID configuration

  @Test(
    "Sign-in works when a cloud's OpenID configuration is unavailable",
    arguments: [
      ("login.microsoftonline.com/common", true), ("login.microsoftonline.com/organizations", true),
      ("login.windows.net/common", true), ("login.microsoftonline.com/\(Person.contoso)", true),
      // The tenant's name does not determine the ID that tokens must have.
      ("login.microsoftonline.com/contoso.example", false),
    ], [false, true])
  func builtIn(place: (url: String, isKnown: Bool), isUnreachable: Bool) async throws {
    let network = clouds.worldwide
    if isUnreachable {
      network.next(.configuration, times: 2) { call throws(HTTPError) in
        throw HTTPError(.cannotConnect, host: "h", message: "No way.")
      }
    } else {
      network.next(.configuration, times: 2, status: 503, "")
    }
    let app = try app(authority: "https://" + place.url, severalClouds: false)
    let parameters = InteractiveTokenParameters(scopes: ["User.Read"], session: network.pages)
    guard place.isKnown else {
      let error = await #expect(throws: AuthenticationError.self) {
        try await app.acquireToken(parameters)
      }
      #expect(error?.code == (isUnreachable ? .networkUnavailable : .serverUnavailable))
      #expect(network.pagesShown.isEmpty)
      return
    }
    _ = try await app.acquireToken(parameters)
    #expect(network.count(.configuration) == 2, "it was tried again")
    let tenant = place.url.split(separator: "/")[1]
    let base = "https://login.microsoftonline.com/\(tenant)/oauth2/v2.0"
    #expect(network.pagesShown.first?.startURL.hasPrefix("\(base)/authorize?") == true)
    #expect(network.calls.last { $0.endpoint == .token }?.url == "\(base)/token")

    _ = try await app.acquireToken(parameters)
    #expect(network.count(.configuration) == 3, "what is built in is not kept")
  }

  @Test("A renewal works when a cloud's OpenID configuration is unavailable")
  func builtInForRenewal() async throws {
    let network = clouds.worldwide
    let app = try app(severalClouds: false)
    let account = try await app.acquireToken(
      .init(scopes: ["User.Read"], session: network.pages)
    ).account
    clock.advance(by: 3600)
    network.next(.configuration, times: 2, status: 500, "")
    let asked = SilentTokenParameters(scopes: ["User.Read"], account: account)
    #expect(try await app.acquireTokenSilent(asked).source == .server)
  }

  @Test("Outside of the clouds, the OpenID configuration is required")
  func noBuiltIn() async throws {
    for service in Service.all.filter(\.isOwn) {
      let network = try service.authority()
      network.next(.configuration, times: 2, status: 503, "")
      let error = await #expect(throws: AuthenticationError.self) {
        try await service.app(network).acquireToken(
          .init(scopes: ["User.Read"], session: network.pages))
      }
      #expect(error?.code == .serverUnavailable)
      #expect(error?.step == .discovery)
      #expect(network.count(.configuration) == 2, "it was tried again")
      #expect(network.pagesShown.isEmpty)
    }
  }

  @Test("An untrusted certificate is not treated as an outage")
  func tlsFailure() async throws {
    clouds.worldwide.next(.configuration) { call throws(HTTPError) in
      throw HTTPError(.tlsFailure, host: "h", message: "Not secure.")
    }
    let error = await #expect(throws: AuthenticationError.self) {
      try await app(severalClouds: false).acquireToken(
        .init(scopes: ["User.Read"], session: clouds.worldwide.pages))
    }
    #expect(error?.code == .tlsFailure)
    #expect(clouds.worldwide.pagesShown.isEmpty)
  }

  // MARK: - Instance discovery

  @Test("A host confirmed by Microsoft is not checked again, nor for a cached token")
  func vouchedFor() async throws {
    let host = "login.contoso.example"
    let network = ScriptedAuthority(host: host)
    network.next(.instance, status: 200, "{\"metadata\":[{\"aliases\":[\"\(host)\"]}]}")
    let (clock, store) = (ManualClock(), MemoryTokenCacheStore())
    let app = try TestApplication.make(
      network, clock: clock, store: store, authority: "https://\(host)/common")
    let account = try await app.acquireToken(
      .init(scopes: ["User.Read"], session: network.pages)
    ).account
    clock.advance(by: 3600)
    let asked = SilentTokenParameters(scopes: ["User.Read"], account: account)
    #expect(try await app.acquireTokenSilent(asked).source == .server)
    #expect(network.count(.instance) == 1)

    let calls = network.calls.count
    let later = try TestApplication.make(
      network, clock: clock, store: store, authority: "https://\(host)/common")
    #expect(try await later.acquireTokenSilent(asked).source == .cache)
    #expect(network.calls.count == calls, "neither Microsoft nor the host is asked")
  }

  @Test(
    "When instance discovery fails, it is retried, and then is an error")
  func instanceDiscoveryFails() async throws {
    let network = ScriptedAuthority(host: "login.contoso.example")
    let app = try TestApplication.make(network, authority: "https://\(network.host)/common")
    let parameters = InteractiveTokenParameters(scopes: ["User.Read"], session: network.pages)
    network.next(.instance, times: 2) { call throws(HTTPError) in
      throw HTTPError(.timedOut, host: "h", message: "Too slow.")
    }
    let error = await #expect(throws: AuthenticationError.self) {
      try await app.acquireToken(parameters)
    }
    #expect(error?.code == .networkUnavailable)
    #expect(error?.description.contains("“login.contoso.example”") == true)
    #expect(error?.description.contains("known authorities") == true)
    #expect(network.count(.instance) == 2)
    #expect(network.count(.configuration) == 0)

    network.next(.instance, status: 500, "")
    network.next(.instance, status: 200, "{\"metadata\":[{\"aliases\":[\"\(network.host)\"]}]}")
    _ = try await app.acquireToken(parameters)
  }
}
