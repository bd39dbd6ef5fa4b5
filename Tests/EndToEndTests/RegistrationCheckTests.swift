import AuthCore
import IdentityEmulator
import TestSupport
import Testing

@Suite("Checking a registration without signing in, over TLS")
struct RegistrationCheckTests {
  /// An app at the emulator's Entra ID.
  func registered(
    _ world: World, clientID: String = ClientRegistration.demo.clientID,
    redirectURI: String = TestApplication.redirectURI, path: String = "/common"
  ) throws -> PublicClientApplication {
    let authority = try Authority(world.running.baseURL + path)
    return PublicClientApplication(
      configuration: try PublicClientApplicationConfiguration(
        clientID: clientID, redirectURI: RedirectURI(redirectURI), authority: authority,
        knownAuthorities: [authority], caFile: world.running.caFile))
  }

  @Test("Every kind of service confirms a registration that fits", arguments: Service.all)
  func confirmed(_ service: Service) async throws {
    try await World.with { world in
      let check = try await world.app(at: service).checkRegistration()
      #expect(check.isConfirmed)
    }
  }

  @Test("An unknown client ID is recognized by the error code")
  func unknownClient() async throws {
    try await World.with { world in
      let app = try registered(world, clientID: "99999999-2222-3333-4444-555555555555")
      let error = await #expect(throws: AuthenticationError.self) {
        try await app.checkRegistration()
      }
      #expect(error?.serverErrorCodes == [700016])
      #expect(error?.message.contains("no app with this client ID") == true)
    }
  }

  @Test("An unregistered redirect URI is recognized by the error code")
  func wrongRedirectURI() async throws {
    try await World.with { world in
      let app = try registered(world, redirectURI: "msauth.com.contoso.other://auth")
      let error = await #expect(throws: AuthenticationError.self) {
        try await app.checkRegistration()
      }
      #expect(error?.serverErrorCodes == [50011])
      #expect(error?.correlationID != nil)
    }
  }

  @Test("A tenant that does not exist is an error")
  func unknownTenant() async throws {
    try await World.with { world in
      let app = try registered(world, path: "/nowhere.example")
      let error = await #expect(throws: AuthenticationError.self) {
        try await app.checkRegistration()
      }
      #expect(error?.serverErrorCodes == [90002])
      #expect(error?.nextStep == .correctConfiguration)
    }
  }

  @Test("Nobody is signed in by it")
  func keepsNothing() async throws {
    try await World.with { world in
      let app = try registered(world)
      _ = try await app.checkRegistration()
      #expect(await app.accounts().isEmpty)
      #expect(await app.currentAccount().current == nil)
    }
  }
}
