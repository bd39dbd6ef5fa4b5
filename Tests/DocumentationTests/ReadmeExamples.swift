import AuthCore
import FoundationEssentials
import TestSupport
import Testing

@Suite("The example of the README")
struct ReadmeExamples {
  @Test func nobodyThenSomeone() async throws {
    let store = MemoryTokenCacheStore()
    let authority = ScriptedAuthority()
    let runtime = Runtime(transport: authority)
    #expect(try await token(store, authority.pages, runtime).source == .server)
    #expect(try await token(store, authority.pages, runtime).source == .cache)
  }

  func token(
    _ store: any TokenCacheStore, _ session: any WebAuthenticationSession, _ runtime: Runtime
  ) async throws -> AuthenticationResult {
    let configuration = try PublicClientApplicationConfiguration(
      clientID: "11111111-2222-3333-4444-555555555555",
      redirectURI: RedirectURI("msauth.com.example.app://auth"))
    let app = PublicClientApplication(
      configuration: configuration, store: store, runtime: runtime)

    let scopes = ["User.Read"]
    let result =
      if let account = await app.currentAccount().current {
        try await app.acquireTokenSilent(SilentTokenParameters(scopes: scopes, account: account))
      } else {
        try await app.acquireToken(InteractiveTokenParameters(scopes: scopes, session: session))
      }

    return result
  }
}
