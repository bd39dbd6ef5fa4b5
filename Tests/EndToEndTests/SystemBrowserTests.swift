import AuthCore
import FoundationEssentials
import IdentityEmulator
import MicrosoftGraph
import Synchronization
import TestSupport
import Testing

@Suite("Signing in with the system browser and a loopback listener")
struct SystemBrowserTests {
  /// Signs `username` in at an emulator, in a browser that follows the redirect to the listener.
  func signIn(
    _ username: String, redirectURI: String = "http://localhost",
    body: (World, PublicClientApplication, AuthenticationResult) async throws -> Void
  ) async throws {
    var configuration = EmulatorConfiguration()
    configuration.clients[0].redirectURIs.append("http://127.0.0.1/back")
    let emulator = Emulator(configuration: configuration)
    let world = World(emulator: emulator, running: try await emulator.start())
    do {
      let session = SystemBrowserSession { address throws(AuthenticationError) in
        do {
          let url = try await LoopbackClient.firstPage(at: address)
          // The emulator provides the redirect with its parameters; the browser sends it in the
          // requested mode.
          let redirect = try await emulator.signIn(username, at: url)
          let page = await LoopbackClient.visit(
            redirect, byForm: url.contains("response_mode=form_post"))
          #expect(page.body.contains("You can close this page"))
        } catch {
          throw AuthenticationError(.webAuthenticationFailed, "\(error)")
        }
      }
      let app = try world.app(redirectURI: redirectURI)
      let result = try await app.acquireToken(.init(scopes: ["User.Read"], session: session))
      try await body(world, app, result)
    } catch {
      await emulator.stop()
      throw error
    }
    await emulator.stop()
  }

  @Test(
    "A sign-in with a redirect to a free port, up to Graph",
    arguments: ["http://localhost", "http://127.0.0.1/back"])
  func signIn(redirectURI: String) async throws {
    try await signIn("adele@contoso.example", redirectURI: redirectURI) { world, app, result in
      #expect(result.account.username == "adele@contoso.example")
      #expect(await app.accounts() == [result.account])
      let me = try await world.me(result).json()
      #expect(me["displayName"]?.string == "Adele Vance")
      let bodies = await world.emulator.requests.filter { $0.path.hasSuffix("/token") }.map(\.body)
      #expect(bodies.count == 1 && bodies[0].contains("redirect_uri=http%3A%2F%2F"))
    }
  }

  @Test("The service accepts any port of a loopback URI, and no other path or host")
  func registered() async throws {
    for uri in ["http://localhost/elsewhere", "http://127.0.0.1", "http://127.0.0.1/back/2"] {
      let error = await #expect(throws: AuthenticationError.self) {
        try await signIn("adele@contoso.example", redirectURI: uri) { _, _, _ in }
      }
      #expect(error?.message.contains("redirect URI") == true, "\(uri)")
    }
  }
}
