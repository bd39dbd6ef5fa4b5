import AuthCore
import CurlHTTP
import FoundationEssentials
import HTTPTypes
import TestSupport
import Testing

@Suite("Expired tokens during an outage of the service (ext_expires_in)")
struct ExtendedLifetimeTests {
  let authority = ScriptedAuthority()
  let clock = ManualClock()
  let store = ScriptedStore()

  init() {
    authority.edit(.tokens) { $0["ext_expires_in"] = .number("7200") }
  }

  func app(isEnabled: Bool = true, buffer: Double = 300) throws -> PublicClientApplication {
    try TestApplication.make(
      authority, clock: clock, store: store,
      configure: {
        $0.extendedLifetimeEnabled = isEnabled
        $0.tokenExpirationBuffer = buffer
      })
  }

  /// An app with an account that signed in an hour ago.
  func signedIn(isEnabled: Bool = true) async throws -> (PublicClientApplication, Account) {
    let app = try app(isEnabled: isEnabled)
    let account = try await app.acquireToken(
      .init(scopes: ["User.Read"], session: authority.pages)
    ).account
    clock.advance(by: 3600)
    return (app, account)
  }

  /// Makes the service answer with `status` from now on; 0 means that it cannot be reached.
  func takeDown(_ status: Int, _ endpoint: ScriptedAuthority.Endpoint = .token) {
    authority.next(endpoint, times: 100) { _ throws(HTTPError) in
      guard status > 0 else { throw HTTPError(.cannotConnect, host: "h", message: "Nobody.") }
      return .make(status, "")
    }
  }

  func error(
    _ app: PublicClientApplication, _ account: Account, forceRefresh: Bool = false
  ) async throws -> AuthenticationError {
    var parameters = SilentTokenParameters(scopes: ["User.Read"], account: account)
    parameters.forceRefresh = forceRefresh
    return try #require(
      await #expect(throws: AuthenticationError.self) {
        try await app.acquireTokenSilent(parameters)
      })
  }

  @Test("The expired token is returned after a start without a network")
  func coldStart() async throws {
    let (_, account) = try await signedIn()
    takeDown(0, .configuration)
    takeDown(0, .token)
    let result = try await app().acquireTokenSilent(.init(scopes: ["User.Read"], account: account))
    #expect(result.isExtendedLifetimeToken)
  }

  @Test("Without an outage, the token is renewed as usual")
  func noOutage() async throws {
    let (app, account) = try await signedIn()
    let result = try await app.acquireTokenSilent(.init(scopes: ["User.Read"], account: account))
    #expect(result.source == .server)
    #expect(!result.isExtendedLifetimeToken)
  }

  @Test("A rejected refresh token is not an outage")
  func refused() async throws {
    let (app, account) = try await signedIn()
    authority.next(.token, status: 400, "{\"error\":\"invalid_grant\"}")
    #expect(try await error(app, account).code == .interactionRequired)
  }

  @Test("The extended lifetime ends too")
  func end() async throws {
    let (app, account) = try await signedIn()
    takeDown(503)
    clock.advance(by: 3599)
    let result = try await app.acquireTokenSilent(.init(scopes: ["User.Read"], account: account))
    #expect(result.isExtendedLifetimeToken)
    clock.advance(by: 1)
    #expect(try await error(app, account).code == .serverUnavailable)
  }

  @Test("A forced renewal never returns an expired token")
  func forced() async throws {
    let (app, account) = try await signedIn()
    takeDown(503)
    #expect(try await error(app, account, forceRefresh: true).code == .serverUnavailable)
  }

  @Test("Without an extended lifetime from the service, the token is not returned")
  func notGranted() async throws {
    authority.edit(.tokens) { $0["ext_expires_in"] = nil }
    let (app, account) = try await signedIn()
    takeDown(503)
    #expect(try await error(app, account).code == .serverUnavailable)
  }
}
