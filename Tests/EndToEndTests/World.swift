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

  /// An app on the emulator.
  func app(
    redirectURI: String = TestApplication.redirectURI, trusts: Bool = true
  ) throws -> PublicClientApplication {
    let clock = clock
    let authority = try Authority(running.authority)
    return PublicClientApplication(
      configuration: try PublicClientApplicationConfiguration(
        clientID: ClientRegistration.demo.clientID, redirectURI: RedirectURI(redirectURI),
        authority: authority, knownAuthorities: [authority],
        caFile: trusts ? running.caFile : nil),
      runtime: Runtime(now: { clock.now }))
  }

  /// A browser with a person before it who is called `username`.
  func browser(_ username: String) -> Browser {
    Browser(caFile: running.caFile, username: username)
  }

  /// Asks Graph who has signed in.
  func me(_ result: AuthenticationResult) async throws -> GraphResponse {
    let api = "\(running.baseURL)/v1.0/me"
    return try await GraphClient(
      api: api, transport: CurlClient(.init(caFile: running.caFile))
    ).get(api, authorization: result.authorizationHeader)
  }
}
