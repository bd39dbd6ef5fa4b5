import AuthCore
import HTTPTypes
import Logging
import TestSupport
import Testing

@Suite("The examples of 'Logging and privacy'")
struct LoggingExamples {
  @Test func logger() async throws {
    let configuration = try TestApplication.configuration()
    let store = MemoryTokenCacheStore()

    var logger = Logger(label: "com.example.app.sign-in")
    logger.logLevel = .info
    let app = PublicClientApplication(
      configuration: configuration, store: store, runtime: Runtime(logger: logger))

    #expect(await app.accounts().isEmpty)
  }

  @Test func masking() {
    let logger = Logger(label: "com.example.app.sign-in")

    let runtime = Runtime(logger: logger, logMaskingLevel: .maskEUIIOnly)

    #expect(runtime.logMaskingLevel == .maskEUIIOnly)
  }

  @Test func telemetry() async throws {
    var configuration = try PublicClientApplicationConfiguration(
      clientID: "11111111-2222-3333-4444-555555555555",
      redirectURI: RedirectURI("msauth.com.example.app://auth"))
    configuration.sendsTelemetry = true

    let authority = ScriptedAuthority()
    let app = PublicClientApplication(
      configuration: configuration, runtime: Runtime(transport: authority))
    _ = try await app.acquireToken(
      InteractiveTokenParameters(scopes: ["User.Read"], session: authority.pages))
    let names = authority.calls.flatMap { $0.request.headerFields.map(\.name.canonicalName) }
    #expect(names.contains("x-client-sku"))
  }
}
