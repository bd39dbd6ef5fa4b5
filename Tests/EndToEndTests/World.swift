import AuthCore
import CurlHTTP
import FoundationEssentials
import IdentityEmulator
import MicrosoftGraph
import TestSupport

/// A running emulator with an adjustable clock.
struct World: Sendable {
  let emulator: Emulator
  let running: Emulator.Running
  let clock = ManualClock(Date())

  /// Runs `body` with a new emulator.
  static func with(
    _ configuration: EmulatorConfiguration = EmulatorConfiguration(),
    _ body: (World) async throws -> Void
  ) async throws {
    let emulator = Emulator(configuration: configuration)
    let running = try await emulator.start()
    do {
      try await body(World(emulator: emulator, running: running))
    } catch {
      await emulator.stop()
      throw error
    }
    await emulator.stop()
  }

  /// Creates an app for the emulator, by default for its Entra ID.
  ///
  /// - Parameter waits: whether its waits advance the clock; they take no time in any case.
  func app(
    at service: Service = .entra, redirectURI: String = TestApplication.redirectURI,
    trusts: Bool = true, waits: Bool = false, store: any TokenCacheStore = MemoryTokenCacheStore()
  ) throws -> PublicClientApplication {
    let clock = clock
    let authority = try service.authority(running)
    return PublicClientApplication(
      configuration: try PublicClientApplicationConfiguration(
        clientID: ClientRegistration.demo.clientID, redirectURI: RedirectURI(redirectURI),
        authority: authority, knownAuthorities: [authority],
        caFile: trusts ? running.caFile : nil),
      store: store,
      runtime: Runtime(
        now: { clock.now },
        sleep: { if waits { clock.advance(by: Double($0.components.seconds)) } }))
  }

  /// A browser with the user `username`.
  func browser(_ username: String) -> Browser {
    Browser(caFile: running.caFile, username: username)
  }

  /// Signs `username` in, and makes a client of Graph for the account; its waits take no time.
  func graph(
    _ username: String = "adele@contoso.example", scopes: [String] = ["User.Read"]
  ) async throws -> (GraphClient, Account) {
    let app = try app()
    let account = try await app.acquireToken(
      .init(scopes: scopes, session: browser(username))
    ).account
    let host = String(running.baseURL.dropFirst("https://".count))
    let graph = GraphClient(
      app: app, account: account, scopes: scopes, cloud: GraphCloud(host: host),
      runtime: Runtime(
        sleep: { clock.advance(by: Double($0.components.seconds)) },
        transport: CurlClient(.init(caFile: running.caFile))))
    return (graph, account)
  }

  /// Requests the photo of the signed-in user from Graph.
  func photo(_ result: AuthenticationResult) async throws -> ProfilePhoto? {
    try await GraphClient(
      api: running.baseURL, transport: CurlClient(.init(caFile: running.caFile))
    ).authorized(by: result.authorizationHeader).profilePhoto()
  }

  /// Requests the signed-in user from Graph or another API.
  func me(
    _ result: AuthenticationResult, path: String = "/v1.0/me"
  ) async throws -> GraphResponse {
    let api = running.baseURL + path
    return try await GraphClient(
      api: api, transport: CurlClient(.init(caFile: running.caFile))
    ).authorized(by: result.authorizationHeader).get(GraphPath(api))
  }
}
