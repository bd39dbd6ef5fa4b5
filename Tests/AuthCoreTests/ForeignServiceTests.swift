import AuthCore
import CurlHTTP
import FoundationEssentials
import TestSupport
import Testing

@Suite("Services that are not Microsoft's")
struct ForeignServiceTests {
  let clock = ManualClock()

  func network(_ service: Service = .oidc) throws -> ScriptedAuthority { try service.authority() }

  func parameters(_ network: ScriptedAuthority) -> InteractiveTokenParameters {
    InteractiveTokenParameters(scopes: ["email"], session: network.pages)
  }

  // MARK: - Requests

  func offer(_ prompts: [String], at network: ScriptedAuthority) {
    network.edit(.configuration) {
      $0["prompt_values_supported"] = .array(prompts.map { .string($0) })
    }
  }

  @Test("A convenience prompt is sent only where it is supported")
  func selectAccount() async throws {
    let network = try network()
    let store = MemoryTokenCacheStore()
    _ = try await Service.oidc.app(network, store: store).acquireToken(parameters(network))
    #expect(network.authorization["prompt"] == nil, "the service may show only its account picker")
    for (offered, sent) in [(["none", "login"], nil), (["select_account"], "select_account")] {
      offer(offered, at: network)
      _ = try await Service.oidc.app(network, store: store).acquireToken(parameters(network))
      #expect(network.authorization["prompt"] == sent)
    }
  }

  // Canaille 0.3.6 offers the prompt, and returns to its account picker after each consent.
  @Test("An account is chosen only where there is a choice")
  func choice() async throws {
    let network = try network()
    offer(["none", "login", "consent", "select_account"], at: network)
    let app = try Service.oidc.app(network)
    var parameters = parameters(network)
    _ = try await app.acquireToken(parameters)
    #expect(network.authorization["prompt"] == nil, "nobody has signed in yet")
    parameters.session = network.pages.ephemeral
    _ = try await app.acquireToken(parameters)
    #expect(network.authorization["prompt"] == nil, "nobody is signed in on these pages")
    parameters.session = network.pages
    _ = try await app.acquireToken(parameters)
    #expect(network.authorization["prompt"] == "select_account")
    for account in await app.accounts() { try await app.remove(account) }
    _ = try await app.acquireToken(parameters)
    #expect(network.authorization["prompt"] == nil)
  }

  @Test("Microsoft's pages always offer a choice: a broker may sign in an unknown account")
  func choiceAtMicrosoft() async throws {
    let network = ScriptedAuthority()
    _ = try await TestApplication.make(network).acquireToken(
      InteractiveTokenParameters(scopes: ["User.Read"], session: network.pages.ephemeral))
    #expect(network.authorization["prompt"] == "select_account")
  }

  @Test("A prompt that the caller requires is sent or rejected, never omitted")
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
    "The response mode is query, unless the service supports only form_post",
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

  @Test("An app whose client ID is a URL signs in, and finds its account again")
  func clientIDIsURL() async throws {
    let id = "https://app.example/client?a=b&c=d#e"
    let network = try network()
    let authority = try Authority(Service.oidc.url, kind: .oidc)
    let configuration = try PublicClientApplicationConfiguration(
      clientID: id, redirectURI: RedirectURI(TestApplication.redirectURI), authority: authority,
      knownAuthorities: [authority])
    let directory = try TemporaryDirectory()
    let stores: [() -> any TokenCacheStore] = [
      { FileTokenCacheStore(path: "\(directory.path)/cache.json") },
      {
        EncryptedFileTokenCacheStore(
          directory: "\(directory.path)/accounts",
          key: Secret(Data(repeating: 7, count: EncryptedFileTokenCacheStore.keySize)))
      },
    ]
    for store in stores {
      func app() -> PublicClientApplication {
        PublicClientApplication(
          configuration: configuration, store: store(),
          runtime: Runtime(now: { [clock] in clock.now }, transport: network))
      }
      let account = try await app().acquireToken(parameters(network)).account
      #expect(network.authorization["client_id"] == id)
      #expect(network.lastForm["client_id"] == id)
      let next = app()
      #expect(await next.accounts() == [account])
      let silent = SilentTokenParameters(scopes: ["email"], account: account)
      #expect(try await next.acquireTokenSilent(silent).source == .cache)
    }
  }

  // MARK: - Responses

  @Test(
    "Errors name the service, not Microsoft", arguments: [Service.oidc, .adfs],
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

  @Test("A device grant of plain OAuth has no ID token, and the error explains it")
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
        == "The sign-in service “\(host)” did not return an ID token, so the account is"
        + " unknown. Sign in another way, or ask the administrator of the service to allow the"
        + " scope “openid” for this app.")
    #expect(await app.accounts().isEmpty)
  }

  @Test(
    "A URL that is no issuer is rejected, and the message names the issuer",
    arguments: [
      "https://192.0.2.1/realms/one", "https://127.0.0.1:8443", "https://[2001:db8::1]/x",
    ])
  func address(url: String) {
    let error = #expect(throws: AuthenticationError.self) { try Authority(url, kind: .oidc) }
    #expect(
      error?.message.hasSuffix("is an IP address; use the host name from the certificate.")
        == true)
  }

  // MARK: - Registration

  @Test(
    "A provider that fails on a request without pages does not confirm the registration",
    arguments: [
      (.oidc, 500, nil), (.oidc, 501, nil), (.oidc, 502, .serverUnavailable),
      (.oidc, 503, .serverUnavailable), (.oidc, 504, .serverUnavailable),
      (.oidc, 429, .serverUnavailable), (.adfs, 500, .serverUnavailable),
    ] as [(Service, Int, AuthenticationError.Code?)])
  func registration(
    service: Service, status: Int, code: AuthenticationError.Code?
  ) async throws {
    let network = try network(service)
    let app = try service.app(network)
    network.next(.api, times: 2, status: status, type: "text/html", "<h1>Error</h1>")
    if let code {
      let error = await #expect(throws: AuthenticationError.self) {
        try await app.checkRegistration()
      }
      #expect(error?.code == code)
    } else {
      #expect(try await app.checkRegistration() == RegistrationCheck(isConfirmed: false))
    }
    let asked = try #require(network.calls.last)
    #expect(asked.url.contains("prompt=none"))
  }

  // MARK: - Sign-out

  @Test(
    "The sign-out page gets an ID token only while the service has its key",
    arguments: [([.first, .second], true), ([.second], false)] as [([ScriptedKey], Bool)])
  func signOutAfterKeyChange(keys: [ScriptedKey], isSent: Bool) async throws {
    let network = try network()
    let app = try Service.oidc.app(network)
    let result = try await app.acquireToken(parameters(network))
    network.willSign(with: .second, serving: keys)
    let token = isSent ? result.idToken?.exposed : nil
    var signOut = SignOutParameters(session: network.pages { _ in "state=x" })
    signOut.earlier = try await app.signOut(result.account, parameters: signOut)
    #expect(network.authorization["id_token_hint"] == token)
    signOut.session = network.pages { "state=\($0["state"] ?? "")" }
    let gone = try await app.signOut(result.account, parameters: signOut)
    #expect(gone.failures.isEmpty)
    #expect(network.authorization["id_token_hint"] == token, "also after a failure")
    #expect(network.authorization["client_id"] == TestApplication.clientID)
    #expect(network.count(.keys) == 3)
  }

  @Test("Without keys, the sign-out page gets the ID token, and after a failure not again")
  func signOutWithoutKeys() async throws {
    let network = try network()
    let app = try Service.oidc.app(network)
    let result = try await app.acquireToken(parameters(network))
    network.next(.keys, times: 2, status: 503, "")
    var signOut = SignOutParameters(session: network.pages { _ in "state=x" })
    signOut.earlier = try await app.signOut(result.account, parameters: signOut)
    let token = try #require(result.idToken?.exposed)
    #expect(network.authorization["id_token_hint"] == token)
    signOut.session = network.pages { "state=\($0["state"] ?? "")" }
    let gone = try await app.signOut(result.account, parameters: signOut)
    #expect(gone.failures.isEmpty)
    #expect(network.authorization["id_token_hint"] == nil)
    #expect(network.count(.keys) == 3, "the request for the keys is not repeated")
  }

  // MARK: - Short lifetimes

  /// An account whose tokens are valid for `seconds`, with or without a refresh token.
  func account(
    _ network: ScriptedAuthority, _ app: PublicClientApplication, seconds: Int, isRenewable: Bool
  ) async throws -> Account {
    network.edit(.tokens) {
      $0["expires_in"] = .number("\(seconds)")
      if !isRenewable { $0["refresh_token"] = nil }
    }
    return try await app.acquireToken(parameters(network)).account
  }

  @Test(
    "A token with a lifetime of minutes is used for four fifths of it", arguments: [60, 300, 600])
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

  @Test("A token that cannot be renewed is used until it expires", arguments: [60, 3600])
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

  @Test("During an outage, a token is used until it expires, and renewed as soon as possible")
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
