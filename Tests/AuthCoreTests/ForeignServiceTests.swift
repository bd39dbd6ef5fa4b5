import AuthCore
import CurlHTTP
import FoundationEssentials
import TestSupport
import Testing

@Suite("A service of someone else")
struct ForeignServiceTests {
  let clock = SetClock()

  func network(_ service: Service = .oidc) throws -> ScriptedAuthority { try service.authority() }

  func parameters(_ network: ScriptedAuthority) -> InteractiveTokenParameters {
    InteractiveTokenParameters(scopes: ["email"], session: network.pages)
  }

  // MARK: - What it is asked

  @Test("A prompt that eases the sign-in is sent where it is offered")
  func selectAccount() async throws {
    let network = try network()
    let app = try Service.oidc.app(network)
    _ = try await app.acquireToken(parameters(network))
    #expect(network.authorization["prompt"] == nil, "it may be shown and nothing else, for ever")
    for (offered, sent) in [(["none", "login"], nil), (["select_account"], "select_account")] {
      network.edit(.configuration) { [offered] in
        $0["prompt_values_supported"] = .array(offered.map { .string($0) })
      }
      _ = try await Service.oidc.app(network).acquireToken(parameters(network))
      #expect(network.authorization["prompt"] == sent)
    }
  }

  @Test("A prompt that the caller insists on is sent or refused, and never left out")
  func login() async throws {
    let network = try network()
    for prompt in [Prompt.login, .consent] {
      var parameters = parameters(network)
      parameters.prompt = prompt
      _ = try await Service.oidc.app(network).acquireToken(parameters)
      #expect(network.authorization["prompt"] == prompt.rawValue)
    }
    network.edit(.configuration) { $0["prompt_values_supported"] = .array([.string("login")]) }
    let pages = network.pagesShown.count
    for prompt in [Prompt.consent, .create] {
      var parameters = parameters(network)
      parameters.prompt = prompt
      let error = await #expect(throws: AuthenticationError.self) {
        try await Service.oidc.app(network).acquireToken(parameters)
      }
      #expect(error?.code == .invalidParameter)
    }
    #expect(network.pagesShown.count == pages)
  }

  @Test(
    "The answer comes as a query, unless the service has only forms",
    arguments: [
      (nil, "query"), (["query", "fragment", "form_post"], "query"), (["form_post"], "form_post"),
      (["query"], "query"), ([], "query"),
    ] as [([String]?, String)])
  func responseMode(modes: [String]?, sent: String) async throws {
    let network = try network()
    network.edit(.configuration) {
      $0["response_modes_supported"] = modes.map { .array($0.map { .string($0) }) }
    }
    let app = try TestApplication.make(
      network, authority: Service.oidc.url, known: [Service.oidc.url], kind: .oidc,
      configure: {
        if let uri = try? RedirectURI("http://localhost:5000/") { $0.redirectURI = uri }
      })
    _ = try await app.acquireToken(parameters(network))
    #expect(network.authorization["response_mode"] == sent)
  }

  // MARK: - What it says

  @Test(
    "What goes wrong is put down to it, and not to Microsoft", arguments: [Service.oidc, .adfs],
    [
      (400, "{\"error\":\"invalid_grant\"}"), (503, ""), (400, "{\"error\":\"invalid_request\"}"),
      (400, "{\"error\":\"temporarily_unavailable\"}"), (400, ""),
    ])
  func words(service: Service, reply: (status: Int, body: String)) async throws {
    let network = try network(service)
    let app = try service.app(network, clock: clock)
    let account = try await app.acquireToken(parameters(network)).account
    clock.advance(by: 3600)
    network.next(.token, times: reply.status == 503 ? 2 : 1, status: reply.status, reply.body)
    let error = await #expect(throws: AuthenticationError.self) {
      try await app.acquireTokenSilent(.init(scopes: ["email"], account: account))
    }
    #expect(error?.message.contains(network.host) == true)
    #expect(error?.message.contains("Microsoft") == false)
  }

  @Test("A device grant of OAuth alone knows no ID token, and the person is told what that means")
  func deviceGrantWithoutIDToken() async throws {
    let network = try network()
    let host = network.host
    network.edit(.configuration) {
      $0["device_authorization_endpoint"] = .string("https://\(host)/oauth2/v2.0/devicecode")
    }
    network.edit(.deviceCode) { $0["verification_uri"] = .string("https://\(host)/device") }
    network.edit(.tokens) { $0["id_token"] = nil }
    let app = try Service.oidc.app(network)
    let error = await #expect(throws: AuthenticationError.self) {
      try await app.acquireToken(DeviceCodeTokenParameters(scopes: ["email"]) { _ in })
    }
    #expect(error?.code == .invalidResponse)
    #expect(
      error?.message
        == "The sign-in service '\(host)' did not return an ID token, so the account is"
        + " unknown. Sign in another way, or ask the administrator of the service to allow the"
        + " scope 'openid' for this app.")
    #expect(await app.accounts().isEmpty)
  }

  @Test(
    "An address is no authority, and its owner is told what is",
    arguments: [
      "https://192.0.2.1/realms/one", "https://127.0.0.1:8443", "https://[2001:db8::1]/x",
    ])
  func address(url: String) {
    let error = #expect(throws: AuthenticationError.self) { try Authority(url, kind: .oidc) }
    #expect(
      error?.message.hasSuffix("is an IP address; use the host name from the certificate.")
        == true)
  }

  // MARK: - Short lives

  /// An account whose tokens live for `seconds`, with a refresh token or without one.
  func account(
    _ network: ScriptedAuthority, _ app: PublicClientApplication, seconds: Int, isRenewable: Bool
  ) async throws -> Account {
    network.edit(.tokens) {
      $0["expires_in"] = .number("\(seconds)")
      if !isRenewable { $0["refresh_token"] = nil }
    }
    return try await app.acquireToken(parameters(network)).account
  }

  @Test("A token of minutes is of use for four fifths of them", arguments: [60, 300, 600])
  func shortLife(seconds: Int) async throws {
    let network = try network()
    let app = try Service.oidc.app(network, clock: clock)
    let account = try await account(network, app, seconds: seconds, isRenewable: true)
    let silent = SilentTokenParameters(scopes: ["email"], account: account)
    #expect(try await app.acquireTokenSilent(silent).source == .cache)
    clock.advance(by: Double(seconds) * 0.79)
    #expect(try await app.acquireTokenSilent(silent).source == .cache)
    clock.advance(by: Double(seconds) * 0.02)
    #expect(try await app.acquireTokenSilent(silent).source == .server)
    #expect(network.pagesShown.count == 1)
  }

  @Test("A token that cannot be renewed serves to its end", arguments: [60, 3600])
  func withoutRefreshToken(seconds: Int) async throws {
    let network = try network()
    let app = try Service.oidc.app(network, clock: clock)
    let account = try await account(network, app, seconds: seconds, isRenewable: false)
    let silent = SilentTokenParameters(scopes: ["email"], account: account)
    clock.advance(by: Double(seconds) - 1)
    #expect(try await app.acquireTokenSilent(silent).source == .cache)
    clock.advance(by: 1)
    let error = await #expect(throws: AuthenticationError.self) {
      try await app.acquireTokenSilent(silent)
    }
    #expect(error?.code == .interactionRequired)
  }

  @Test("During an outage a token serves to its end, and is renewed as soon as that can be")
  func outage() async throws {
    let network = try network()
    let app = try Service.oidc.app(network, clock: clock)
    let account = try await account(network, app, seconds: 3600, isRenewable: true)
    let silent = SilentTokenParameters(scopes: ["email"], account: account)
    clock.advance(by: 3400)
    network.next(.token, times: 2, status: 503, "")
    let result = try await app.acquireTokenSilent(silent)
    #expect(result.source == .cache)
    #expect(result.expiresOn == clock.now + 200)
    #expect(!result.isExtendedLifetimeToken)
    clock.advance(by: 61)
    #expect(try await app.acquireTokenSilent(silent).source == .server)
  }
}
