import AuthCore
import CurlHTTP
import FoundationEssentials
import IdentityEmulator
import MicrosoftGraph
import TestSupport

/// A running emulator, and a clock that can be moved on.
struct World: Sendable {
  let emulator: Emulator
  let running: Emulator.Running
  let clock = SetClock(Date())

  /// Runs `story` with an emulator of its own.
  static func with(
    _ configuration: EmulatorConfiguration = EmulatorConfiguration(),
    _ story: (World) async throws -> Void
  ) async throws {
    let emulator = Emulator(configuration: configuration)
    let running = try await emulator.start()
    do {
      try await story(World(emulator: emulator, running: running))
    } catch {
      await emulator.stop()
      throw error
    }
    await emulator.stop()
  }

  /// An app on the emulator: at its Entra ID, unless `service` says otherwise.
  ///
  /// - Parameter waits: Whether its pauses move the clock on; they take no time in any case.
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

  /// A browser with a person before it who is called `username`.
  func browser(_ username: String) -> Browser {
    Browser(caFile: running.caFile, username: username)
  }

  /// Asks Graph, or another API, who has signed in.
  func me(
    _ result: AuthenticationResult, path: String = "/v1.0/me"
  ) async throws -> GraphResponse {
    let api = running.baseURL + path
    return try await GraphClient(
      api: api, transport: CurlClient(.init(caFile: running.caFile))
    ).get(api, authorization: result.authorizationHeader)
  }
}
