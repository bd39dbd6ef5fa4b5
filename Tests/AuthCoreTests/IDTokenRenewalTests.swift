import AuthCore
import CurlHTTP
import FoundationEssentials
import HTTPTypes
import TestSupport
import Testing

@Suite("An ID token that expires before the access token", .timeLimit(.minutes(5)))
struct IDTokenRenewalTests {
  /// The scripted authority's ID tokens expire an hour after this.
  let clock = ManualClock(Date(timeIntervalSince1970: 1_800_000_000))
  let authority = ScriptedAuthority()
  let store = ScriptedStore()
  let app: PublicClientApplication

  init() throws {
    app = try TestApplication.make(authority, clock: clock, store: store)
    authority.edit(.tokens) { $0["expires_in"] = .number("86400") }
  }

  func signIn() async throws -> AuthenticationResult {
    try await app.acquireToken(.init(scopes: ["User.Read"], session: authority.pages))
  }

  /// Makes the authority's ID tokens expire an hour after `clock`.
  func issueFreshIDTokens() {
    let now = Int(clock.now.timeIntervalSince1970)
    authority.edit(.claims) {
      $0["iat"] = .number("\(now)")
      $0["exp"] = .number("\(now + 3600)")
    }
  }

  @Test("The ID token is renewed although the access token is valid")
  func renewed() async throws {
    let first = try await signIn()
    clock.advance(by: 3600 - 301)
    issueFreshIDTokens()
    #expect(try await app.silently(first.account).idToken == first.idToken)
    clock.advance(by: 1)
    let second = try await app.silently(first.account)
    #expect(second.source == .server)
    #expect(second.idToken != nil && second.idToken != first.idToken)
    // The new token is used until it is due.
    clock.advance(by: 3000)
    let third = try await app.silently(first.account)
    #expect(third.source == .cache)
    #expect(third.idToken == second.idToken)
    #expect(authority.count(.token) == 2)
  }

  @Test("The next run knows when it expires")
  func nextRun() async throws {
    let first = try await signIn()
    let next = try TestApplication.make(authority, clock: clock, store: store)
    #expect(try await next.silently(first.account).source == .cache)
    clock.advance(by: 3600)
    let last = try TestApplication.make(authority, clock: clock, store: store)
    #expect(try await last.silently(first.account).source == .server)
  }

  @Test("Offline, the cached tokens are returned, and the network is not used for a minute")
  func offline() async throws {
    let first = try await signIn()
    clock.advance(by: 3600)
    authority.next(.token, times: 100) { _ throws(HTTPError) in
      throw HTTPError(.cannotFindHost, host: "h", message: "No such host.")
    }
    for _ in 1...10 {
      let result = try await app.silently(first.account)
      #expect(result.idToken == first.idToken)
      #expect(result.accessToken == first.accessToken)
      #expect(!result.isExtendedLifetimeToken)
    }
    #expect(authority.count(.token) == 3, "the sign-in, and one try with its second")
    authority.answerAsUsual(.token)
    clock.advance(by: 59)
    #expect(try await app.silently(first.account).source == .cache)
    clock.advance(by: 1)
    #expect(try await app.silently(first.account).source == .server)
  }

  @Test("A rejected refresh token is not an outage: interaction is required")
  func refused() async throws {
    let first = try await signIn()
    clock.advance(by: 3600)
    authority.next(.token, status: 400, "{\"error\":\"invalid_grant\"}")
    let error = await #expect(throws: AuthenticationError.self) {
      try await app.silently(first.account)
    }
    #expect(error?.code == .interactionRequired)
  }

  @Test("Without a refresh token, the cached tokens are returned")
  func noRefreshToken() async throws {
    authority.edit(.tokens) {
      $0["expires_in"] = .number("86400")
      $0["refresh_token"] = nil
    }
    let first = try await signIn()
    clock.advance(by: 7200)
    #expect(try await app.silently(first.account).source == .cache)
  }

  @Test("If the clock is ahead, the lifetime counts from the receipt")
  func wrongClock() async throws {
    clock.advance(by: 10 * 3600)
    let first = try await signIn()
    for _ in 1...3 { #expect(try await app.silently(first.account).source == .cache) }
    clock.advance(by: 3600)
    #expect(try await app.silently(first.account).source == .server)
    #expect(try await app.silently(first.account).source == .cache)
  }

  @Test(
    "An ID token without an expiry causes no renewal",
    arguments: ["-1", "1e400", "0", "1.5e12"])
  func noEnd(text: String) async throws {
    let value = try JSON(parsing: text.utf8)
    authority.edit(.claims) { $0["exp"] = value }
    let first = try await signIn()
    clock.advance(by: 80_000)
    #expect(try await app.silently(first.account).source == .cache)
  }

  @Test("An expiry in a billion years is stored like any other")
  func farEnd() async throws {
    authority.edit(.claims) { $0["exp"] = .number("9223372036854775807") }
    let first = try await signIn()
    let next = try TestApplication.make(authority, clock: clock, store: store)
    #expect(try await next.silently(first.account).idToken == first.idToken)
  }

  @Test("A provider that renews no ID tokens is not asked again at every call")
  func providerWithoutRenewal() async throws {
    let network = try Service.oidc.authority()
    network.edit(.tokens) { $0["expires_in"] = .number("86400") }
    let app = try Service.oidc.app(network, clock: clock)
    let first = try await app.acquireToken(.init(scopes: ["User.Read"], session: network.pages))
    network.edit(.tokens) {
      $0["expires_in"] = .number("86400")
      $0["id_token"] = nil
    }
    clock.advance(by: 3301)
    #expect(try await app.silently(first.account).source == .server)
    for _ in 1...10 {
      clock.advance(by: 120)
      #expect(try await app.silently(first.account).source == .cache)
    }
    #expect(network.count(.token) == 2)
  }
}
