import AuthCore
import CurlHTTP
import FoundationEssentials
import IdentityEmulator
import MicrosoftGraph
import TestSupport
import Testing

@Suite("From a code on one device to a browser on another, over TLS")
struct DeviceCodeTests {
  static let token = "POST /{tenant}/oauth2/v2.0/token"

  /// Two devices: while the app waits on one, the user acts on the other.
  ///
  /// `person` is called instead of each wait, with its number and the code to enter.
  func signIn(
    person: @escaping @Sendable (World, Int, DeviceCode) async -> Void,
    body: (World, PublicClientApplication, DeviceCodeTokenParameters) async throws -> Void
  ) async throws {
    var configuration = EmulatorConfiguration()
    // The waits of this app take no time, so the emulator must not require an interval.
    configuration.deviceCodeInterval = 0
    let emulator = Emulator(configuration: configuration)
    let world = World(emulator: emulator, running: try await emulator.start())
    let codes = LockedValue<[DeviceCode]>([])
    let pauses = LockedValue(0)
    do {
      let authority = try Authority(world.running.authority)
      let app = PublicClientApplication(
        configuration: try PublicClientApplicationConfiguration(
          clientID: ClientRegistration.demo.clientID,
          redirectURI: RedirectURI(TestApplication.redirectURI), authority: authority,
          knownAuthorities: [authority], caFile: world.running.caFile),
        runtime: Runtime(sleep: { _ in
          let number = pauses.withLock { pauses in
            pauses += 1
            return pauses
          }
          if let code = codes.withLock({ $0.last }) { await person(world, number, code) }
        }))
      let parameters = DeviceCodeTokenParameters(scopes: ["User.Read"]) { code in
        codes.withLock { $0.append(code) }
      }
      try await body(world, app, parameters)
    } catch {
      await emulator.stop()
      throw error
    }
    await emulator.stop()
  }

  /// Enters `code` as Adele, and completes all pages; returns their names.
  static func enter(_ code: DeviceCode, consents: Bool = true, _ world: World) async -> [String] {
    await enter(code.userCode, at: code.verificationURI, consents: consents, world)
  }

  /// Enters `userCode` as Adele at `url`, and completes all pages; returns their names.
  static func enter(
    _ userCode: String, at url: String, consents: Bool = true, _ world: World
  ) async -> [String] {
    let browser = Browser(caFile: world.running.caFile) { page in
      switch page.name {
      case "enter-code": .press("next", ["code": userCode])
      case "enter-username": .press("next", ["username": "adele@contoso.example"])
      case "enter-password": .press("sign-in", ["password": "Entrance-Demo-1"])
      case "consent": .press(consents ? "accept" : "decline")
      case "stay-signed-in": .press("stay-no")
      default: .close
      }
    }
    // The pages lead to no redirect: the user closes the last one.
    _ = try? await browser.authenticate(
      WebAuthenticationRequest(
        startURL: url, redirectURI: RedirectURI(TestApplication.redirectURI),
        prefersEphemeralSession: true))
    return await browser.pageNames
  }

  @Test("Adele takes her time, enters the code on her phone, and Graph returns her profile")
  func signedIn() async throws {
    let pages = LockedValue<[String]>([])
    try await signIn { world, pause, code in
      guard pause == 3 else { return }
      let names = await Self.enter(code, world)
      pages.withLock { $0 = names }
    } body: { world, app, parameters in
      let result = try await app.acquireToken(parameters)
      #expect(
        pages.withLock { $0 } == [
          "enter-code", "enter-username", "enter-password", "consent", "stay-signed-in",
          "device-approved",
        ])
      #expect(await world.emulator.requestCounts[Self.token] == 3)
      #expect(result.account.username == "adele@contoso.example")
      #expect(try await world.me(result).json()["displayName"]?.string == "Adele Vance")

      #expect(await app.accounts() == [result.account])
      var silent = SilentTokenParameters(scopes: ["User.Read"], account: result.account)
      #expect(try await app.acquireTokenSilent(silent).source == .cache)
      silent.forceRefresh = true
      #expect(try await app.acquireTokenSilent(silent).source == .server)
    }
  }

  @Test("When she declines, or the code expires, the app gets an error and stores nothing")
  func notSignedIn() async throws {
    try await signIn { world, pause, code in
      if pause == 1 { _ = await Self.enter(code, consents: false, world) }
      if pause == 3 { await world.emulator.expireDeviceCodes() }
    } body: { _, app, parameters in
      let declined = await #expect(throws: AuthenticationError.self) {
        try await app.acquireToken(parameters)
      }
      #expect(declined?.code == .userCanceled)
      #expect(declined?.oauthError == "authorization_declined")
      let expired = await #expect(throws: AuthenticationError.self) {
        try await app.acquireToken(parameters)
      }
      #expect(expired?.code == .deviceCodeExpired)
      #expect(expired?.serverErrorCodes == [70020])
      #expect(await app.accounts().isEmpty)
    }
  }
}
