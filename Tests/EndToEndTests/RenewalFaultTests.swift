import AuthCore
import FoundationEssentials
import IdentityEmulator
import TestSupport
import Testing

/// OpenID Connect Core 1.0, section 12.2; RFC 6749, section 6; RFC 8628, section 3.5; OpenID
/// Connect RP-Initiated Logout 1.0, section 3.
///
/// Serialized: there are many, and timing-sensitive tests run beside them.
@Suite("Faults of the identity service after the sign-in", .serialized)
struct RenewalFaultTests {
  static let adele = "adele@contoso.example"

  // MARK: - Renewal

  /// A provider that accepts each refresh token once is included only for faults with an answer that
  /// has the next one.
  static let refused =
    Faults.of(
      [.entra, .externalID, .b2c, .adfs], .accountMismatch, ["refresh-other-user", "other-sub"])
    + Faults.of([.oidc], .accountMismatch, ["other-sub"])
    + Faults.of([.oidc], .accountMismatch, ["refresh-other-user"])
    + Faults.of(
      [.entra, .adfs], .invalidIDToken,
      [
        "wrong-issuer", "wrong-audience", "missing-sub", "missing-exp", "wrong-signature",
        "alg-none", "alg-hs256", "unknown-kid", "wrong-at-hash",
      ])
    + Faults.of(
      [.entra, .b2c, .adfs], .invalidResponse,
      [
        "no-access-token", "wrong-token-type", "token-html", "token-truncated", "token-duplicate",
        "token-huge", "token-redirect",
      ])
    + Faults.of(
      [.oidc], .invalidIDToken,
      ["wrong-issuer", "wrong-audience", "missing-exp", "wrong-signature"])
    + Faults.of([.oidc], .invalidResponse, ["no-access-token", "wrong-token-type"])
    + Faults.of(
      [.entra, .externalID, .b2c], .invalidResponse, ["no-client-info", "no-id-token"])
    + Faults.of(
      [.entra, .oidc], .serverUnavailable, ["token-429", "token-500", "token-503"])

  @Test("A rejected response changes nothing but the refresh token", arguments: refused)
  func refuse(row: Faults) async throws {
    try await World.with { world in
      let store = MemoryTokenCacheStore()
      let app = try world.app(at: row.service, store: store)
      let first = try await app.acquireToken(
        .init(scopes: [row.service.scope], session: world.browser(Self.adele)))
      var asked = SilentTokenParameters(scopes: [row.service.scope], account: first.account)
      let kept = try Self.withoutRefreshToken(store)

      asked.forceRefresh = true
      for fault in row.faults {
        await world.emulator.setFaults([fault])
        let error = await #expect(throws: AuthenticationError.self, "\(fault.name)") {
          try await app.acquireTokenSilent(asked)
        }
        #expect(error?.code == row.code, "\(fault.name)")
        #expect(error?.isThrottled == false, "\(fault.name)")
        #expect(error?.correlationID?.isEmpty == false)
        #expect(try Self.withoutRefreshToken(store) == kept, "nothing is written: \(fault.name)")
        #expect(await app.accounts() == [first.account])
        // After any earlier pause, and before the token expires.
        world.clock.advance(by: 61)
      }
      #expect(await world.emulator.requests.allSatisfy { $0.path != "/elsewhere" })

      asked.forceRefresh = false
      #expect(try await app.acquireTokenSilent(asked).accessToken == first.accessToken)
    }
  }

  /// The contents of a store with one account, except for the refresh token.
  static func withoutRefreshToken(_ store: MemoryTokenCacheStore) throws -> JSON {
    let record = try #require(store.load().first)
    let sections = try #require(JSON(parsing: record.contents.exposed).object)
    return .object(sections.filter { $0.name != "RefreshToken" })
  }

  static let borne =
    Faults.of([.adfs, .oidc], nil, ["no-id-token", "no-client-info"])
    + Faults.of(
      Service.all, nil,
      ["rotated-key", "no-expires-in", "negative-expires-in", "missing-nonce", "old-exp"])
    // A provider that accepts each refresh token once must return the next one.
    + Faults.of([.entra, .externalID, .b2c, .adfs], nil, ["no-refresh-token"])

  @Test(
    "Variations that the standards allow are accepted, and the next renewal works",
    arguments: borne)
  func bear(row: Faults) async throws {
    try await World.with { world in
      let app = try world.app(at: row.service)
      let first = try await app.acquireToken(
        .init(scopes: [row.service.scope], session: world.browser(Self.adele)))
      var asked = SilentTokenParameters(scopes: [row.service.scope], account: first.account)
      asked.forceRefresh = true
      for fault in row.faults {
        for faults in [[fault], []] as [Set<Fault>] {
          await world.emulator.setFaults(faults)
          // Changed keys are fetched at most this often.
          world.clock.advance(by: 11)
          let renewed = try await app.acquireTokenSilent(asked)
          #expect(renewed.source == .server, "\(fault.name)")
          #expect(renewed.account == first.account)
          #expect(renewed.idToken != nil)
        }
      }
    }
  }

  @Test("A renewal whose ID token cannot be checked without keys continues without it")
  func noKeys() async throws {
    try await World.with { world in
      let app = try world.app(at: .tenant)
      let first = try await app.acquireToken(
        .init(scopes: ["User.Read"], session: world.browser(Self.adele)))
      var asked = SilentTokenParameters(scopes: ["User.Read"], account: first.account)
      asked.forceRefresh = true
      await world.emulator.setFaults(["rotated-key", "jwks-unavailable"])
      let renewed = try await app.acquireTokenSilent(asked)
      #expect(renewed.source == .server)
      #expect(renewed.idToken == first.idToken, "the ID token from before stays")
    }
  }

  @Test("A pause that the service requests is honored")
  func throttled() async throws {
    try await World.with { world in
      let app = try world.app()
      let first = try await app.acquireToken(
        .init(scopes: ["User.Read"], session: world.browser(Self.adele)))
      var asked = SilentTokenParameters(scopes: ["User.Read"], account: first.account)
      asked.forceRefresh = true
      await world.emulator.setFaults(["token-429"])
      for isThrottled in [false, true] {
        let error = await #expect(throws: AuthenticationError.self) {
          try await app.acquireTokenSilent(asked)
        }
        #expect(error?.isThrottled == isThrottled)
        #expect(error?.retryAfter == .seconds(30))
      }
      await world.emulator.setFaults([])
      world.clock.advance(by: 31)
      #expect(try await app.acquireTokenSilent(asked).source == .server)
    }
  }

  // MARK: - Device codes

  @Test(
    "A failed device code reports the reason, and nothing is stored",
    arguments: [
      ("device-expired", .deviceCodeExpired), ("device-declined", .userCanceled),
      // The intervals grow until the code expires.
      ("device-slow-down", .deviceCodeExpired), ("device-foreign-page", .invalidResponse),
    ] as [(Fault, AuthenticationError.Code)])
  func deviceCode(fault: Fault, code: AuthenticationError.Code) async throws {
    try await World.with(.with([fault])) { world in
      let app = try world.app(waits: true)
      let error = await #expect(throws: AuthenticationError.self) {
        try await app.acquireToken(
          DeviceCodeTokenParameters(scopes: ["User.Read"]) { code in
            #expect(code.verificationURI.hasPrefix(world.running.baseURL))
          })
      }
      #expect(error?.code == code)
      #expect(await app.accounts().isEmpty)
      let polls = await world.emulator.requestCounts[SignInTests.token]
      // 5, 10, 15, … seconds in 15 minutes, as in RFC 8628, section 3.5.
      if fault == "device-slow-down" { #expect(try #require(polls) == 18) }
      if fault == "device-foreign-page" { #expect(polls == nil) }
    }
  }

  // MARK: - Sign-out

  @Test(
    "A sign-out with another's redirect is an error; the account is removed anyway",
    arguments: [
      ("sign-out-wrong-state", .invalidState), ("sign-out-missing-state", .invalidState),
      ("no-end-session", .serverError),
    ] as [(Fault, AuthenticationError.Code)], [Service.entra, .oidc])
  func signOut(fault: (Fault, AuthenticationError.Code), service: Service) async throws {
    try await World.with(.with([fault.0])) { world in
      let store = MemoryTokenCacheStore()
      let app = try world.app(at: service, store: store)
      let browser = world.browser(Self.adele)
      let account = try await app.acquireToken(
        .init(scopes: [service.scope], session: browser)
      ).account
      let result = try await app.signOut(
        account, parameters: SignOutParameters(session: browser))
      #expect(result.browserSession.error?.code == fault.1)
      #expect(result.browserSession.error?.step == .signOut)
      #expect(result.removal == .done)
      #expect(await app.accounts().isEmpty)
      #expect(store.load().isEmpty)
    }
  }
}
