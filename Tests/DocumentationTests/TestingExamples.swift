import AuthCore
import CurlHTTP
import FoundationEssentials
import HTTPTypes
import IdentityEmulator
import MicrosoftGraph
import Testing

@Suite("The examples of 'Testing your app'")
struct TestingExamples {
  @Test func emulator() async throws {
    let emulator = Emulator()
    let running = try await emulator.start()
    let authority = try Authority(running.authority)
    let app = PublicClientApplication(
      configuration: try PublicClientApplicationConfiguration(
        clientID: ClientRegistration.demo.clientID, redirectURI: RedirectURI("http://localhost"),
        authority: authority, knownAuthorities: [authority], caFile: running.caFile))

    let session = EmulatorSession(emulator: emulator, username: "adele@contoso.example")
    let result = try await app.acquireToken(
      InteractiveTokenParameters(scopes: ["User.Read"], session: session))
    #expect(result.account.name == "Adele Vance")

    let graph = GraphClient(
      app: app, account: result.account, scopes: ["User.Read"],
      cloud: GraphCloud(host: "localhost:\(running.port)"))
    let me = try await graph.get("/me").json()
    #expect(me["displayName"]?.string == "Adele Vance")

    try await emulator.revokeRefreshTokens(of: "adele@contoso.example")
    var parameters = SilentTokenParameters(scopes: ["User.Read"], account: result.account)
    parameters.forceRefresh = true
    let error = await #expect(throws: AuthenticationError.self) {
      try await app.acquireTokenSilent(parameters)
    }
    #expect(error?.code == .interactionRequired)

    await emulator.stop()
  }

  @Test func deviceCode() async throws {
    let emulator = Emulator()
    let running = try await emulator.start()
    let authority = try Authority(running.authority)
    let app = PublicClientApplication(
      configuration: try PublicClientApplicationConfiguration(
        clientID: ClientRegistration.demo.clientID, redirectURI: RedirectURI("http://localhost"),
        authority: authority, knownAuthorities: [authority], caFile: running.caFile),
      runtime: Runtime(sleep: { _ in }))
    let result = try await app.acquireToken(
      DeviceCodeTokenParameters(scopes: ["User.Read"]) { code in
        try? await emulator.enterDeviceCode(code.userCode, as: "adele@contoso.example")
      })

    #expect(result.account.username == "adele@contoso.example")
    await #expect(throws: Emulator.SignInRefused.self) {
      try await emulator.enterDeviceCode("BCDFGHJKL", as: "adele@contoso.example")
    }

    await emulator.prepareGraphReply(
      CannedReply(status: 429, headers: ["Retry-After": "2"]), for: "/me/messages")

    let http = CurlClient(CurlClient.Configuration(caFile: running.caFile))
    let statuses = ["me", "me/messages", "me/messages"].map { path in
      HTTPRequest(
        method: .get, scheme: "https", authority: "localhost:\(running.port)",
        path: "/v1.0/\(path)", headerFields: [.authorization: result.authorizationHeader.exposed])
    }
    var found: [Int] = []
    for request in statuses { found.append(try await http.execute(request).response.status.code) }
    #expect(found == [200, 429, 403])
    await emulator.stop()
  }

  @Test func faults() async throws {
    let emulator = Emulator()
    let running = try await emulator.start()
    let authority = try Authority(running.authority)
    let app = PublicClientApplication(
      configuration: try PublicClientApplicationConfiguration(
        clientID: ClientRegistration.demo.clientID, redirectURI: RedirectURI("http://localhost"),
        authority: authority, knownAuthorities: [authority], caFile: running.caFile))
    let session = EmulatorSession(emulator: emulator, username: "adele@contoso.example")

    await emulator.setFaults(["wrong-signature"])
    let error = await #expect(throws: AuthenticationError.self) {
      try await app.acquireToken(
        InteractiveTokenParameters(scopes: ["User.Read"], session: session))
    }
    #expect(error?.code == .invalidIDToken)

    await emulator.stop()
  }

  @Test func offline() async throws {
    let app = PublicClientApplication(
      configuration: try PublicClientApplicationConfiguration(
        clientID: "11111111-2222-3333-4444-555555555555",
        redirectURI: RedirectURI("http://localhost")),
      runtime: Runtime(sleep: { _ in }, transport: NoNetwork()))

    let error = await #expect(throws: AuthenticationError.self) {
      try await app.acquireToken(DeviceCodeTokenParameters(scopes: ["User.Read"]) { _ in })
    }
    #expect(error?.code == .networkUnavailable)
  }

  @Test func closed() async throws {
    let emulator = Emulator()
    let running = try await emulator.start()
    let authority = try Authority(running.authority)
    let app = PublicClientApplication(
      configuration: try PublicClientApplicationConfiguration(
        clientID: ClientRegistration.demo.clientID, redirectURI: RedirectURI("http://localhost"),
        authority: authority, knownAuthorities: [authority], caFile: running.caFile))
    let error = await #expect(throws: AuthenticationError.self) {
      try await app.acquireToken(
        InteractiveTokenParameters(scopes: ["User.Read"], session: ClosedPages()))
    }
    await emulator.stop()
    #expect(error?.code == .userCanceled)
  }
}

/// Completes the emulator's pages as the user `username`.
struct EmulatorSession: WebAuthenticationSession {
  let emulator: Emulator
  let username: String

  func authenticate(
    _ request: WebAuthenticationRequest
  ) async throws(AuthenticationError) -> String {
    do {
      return try await emulator.signIn(username, at: request.startURL)
    } catch {
      throw AuthenticationError(.webAuthenticationFailed, "\(error)")
    }
  }
}

/// A network without any connection.
struct NoNetwork: HTTPTransport {
  func execute(
    _ request: HTTPRequest, body: Data, limits: HTTPLimits
  ) async throws(HTTPError) -> HTTPReply {
    throw HTTPError(
      .cannotConnect, host: request.authority ?? "", message: "There is no network.")
  }
}

/// Pages that the user closes immediately.
struct ClosedPages: WebAuthenticationSession {
  func authenticate(
    _ request: WebAuthenticationRequest
  ) async throws(AuthenticationError) -> String {
    throw AuthenticationError(.userCanceled, "The sign-in was canceled.")
  }
}
