#if DESKTOP
  import AuthCore
  import IdentityBroker
  import TestSupport
  import Testing

  @Suite("The example of 'Using the identity broker'")
  struct BrokerExamples {
    @Test func app() async throws {
      let store = MemoryTokenCacheStore()

      var configuration = try PublicClientApplicationConfiguration(
        clientID: "11111111-2222-3333-4444-555555555555",
        redirectURI: RedirectURI("msauth.com.example.app://auth"))
      configuration.isBrokerRedirectURIRegistered = true
      let app = PublicClientApplication(
        configuration: configuration, store: store, broker: LinuxIdentityBroker())

      #expect(app.configuration.isBrokerRedirectURIRegistered)
    }
  }
#endif
