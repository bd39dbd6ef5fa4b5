import AuthCore
import FoundationEssentials
import IdentityEmulator
import TestSupport
import Testing

/// OpenID Connect Core 1.0, section 12.2; RFC 6749, section 6; RFC 8628, section 3.5; OpenID Connect
/// RP-Initiated Logout 1.0, section 3.
@Suite("An identity service that misbehaves, later on")
struct RenewalFaultTests {
  static let adele = "adele@contoso.example"

  // MARK: - Renewal

  static let refused =
    FaultRow.rows(.accountMismatch, at: Service.all, [.refreshOfAnother, .otherSubject])
    + FaultRow.rows(
      .invalidIDToken, at: [.entra, .oidc],
      [
        .wrongIssuer, .wrongAudience, .missingSubject, .missingExpiry, .wrongSignature,
        .algorithmNone, .algorithmHMAC, .unknownKeyID, .wrongTokenHash,
      ])
    + FaultRow.rows(
      .invalidResponse, at: [.entra, .oidc],
      [
        .missingAccessToken, .wrongTokenType, .negativeLifetime, .tokenPage, .tokenTruncated,
        .tokenDuplicate, .tokenHuge, .tokenRedirect,
      ])
    + FaultRow.rows(
      .invalidResponse, at: [.entra, .externalID, .b2c], [.missingClientInfo, .missingIDToken])
    + FaultRow.rows(
      .serverUnavailable, at: [.entra, .oidc],
      [.tokenThrottled, .tokenServerError, .tokenUnavailable])

  @Test("What is refused leaves all as it was", arguments: refused)
  func refuse(row: FaultRow) async throws {
    try await World.with { world in
      let store = MemoryTokenCacheStore()
      let app = try world.app(at: row.service, store: store)
      let first = try await app.acquireToken(
        .init(scopes: [row.service.scope], session: world.browser(Self.adele)))
      var asked = SilentTokenParameters(scopes: [row.service.scope], account: first.account)
      let kept = store.load()

      await world.emulator.setFaults([row.fault])
      asked.forceRefresh = true
      let error = await #expect(throws: AuthenticationError.self) {
        try await app.acquireTokenSilent(asked)
      }
      #expect(error?.code == row.code)
      #expect(error?.correlationID?.isEmpty == false)
      #expect(store.load() == kept, "nothing is written")
      #expect(await app.accounts() == [first.account])
      #expect(await world.emulator.requests.allSatisfy { $0.path != "/elsewhere" })

      await world.emulator.setFaults([])
      asked.forceRefresh = false
      #expect(try await app.acquireTokenSilent(asked).accessToken == first.accessToken)
    }
  }

  static let borne =
    FaultRow.rows(nil, at: [.adfs, .oidc], [.missingIDToken, .missingClientInfo])
    + FaultRow.rows(
      nil, at: Service.all,
      [.missingRefreshToken, .rotatedKey, .missingLifetime, .missingNonce, .oldExpiry])

  @Test("What the standards allow is borne, and the next renewal works", arguments: borne)
  func bear(row: FaultRow) async throws {
    try await World.with { world in
      let app = try world.app(at: row.service)
      let first = try await app.acquireToken(
        .init(scopes: [row.service.scope], session: world.browser(Self.adele)))
      var asked = SilentTokenParameters(scopes: [row.service.scope], account: first.account)
      asked.forceRefresh = true
      // A provider that takes each refresh token once has to give the next one, or none is left.
      let isLast = row.service.kind == .oidc && row.fault == .missingRefreshToken
      await world.emulator.setFaults([row.fault])
      let renewed = try await app.acquireTokenSilent(asked)
      #expect(renewed.source == .server)
      #expect(renewed.account == first.account)
      #expect(renewed.idToken != nil)
      await world.emulator.setFaults([])
      if isLast { return }
      // The key from before is back; keys are looked for anew no more often than this.
      world.clock.advance(by: 301)
      #expect(try await app.acquireTokenSilent(asked).source == .server)
    }
  }

  @Test("A renewal whose ID token cannot be checked for want of keys goes on without it")
  func noKeys() async throws {
    try await World.with { world in
      let app = try world.app(at: .tenant)
      let first = try await app.acquireToken(
        .init(scopes: ["User.Read"], session: world.browser(Self.adele)))
      var asked = SilentTokenParameters(scopes: ["User.Read"], account: first.account)
      asked.forceRefresh = true
      await world.emulator.setFaults([.rotatedKey, .keySetUnavailable])
      let renewed = try await app.acquireTokenSilent(asked)
      #expect(renewed.source == .server)
      #expect(renewed.idToken == first.idToken, "the ID token from before stays")
    }
  }

  @Test("A service that asks for a pause is left alone for as long")
  func throttled() async throws {
    try await World.with { world in
      let app = try world.app()
      let first = try await app.acquireToken(
        .init(scopes: ["User.Read"], session: world.browser(Self.adele)))
      var asked = SilentTokenParameters(scopes: ["User.Read"], account: first.account)
      asked.forceRefresh = true
      await world.emulator.setFaults([.tokenThrottled])
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
    "A device code that comes to nothing says why, and nothing is kept",
    arguments: [
      (.deviceExpired, .deviceCodeExpired), (.deviceDeclined, .userCanceled),
      // The pauses grow until the code's time is over.
      (.deviceSlowDown, .deviceCodeExpired), (.deviceForeignPage, .invalidResponse),
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
      // 5, 10, 15, … seconds in 15 minutes, as RFC 8628, section 3.5, has it.
      if fault == .deviceSlowDown { #expect(try #require(polls) == 18) }
      if fault == .deviceForeignPage { #expect(polls == nil) }
    }
  }

  // MARK: - Sign-out

  @Test(
    "A sign-out whose answer is another's is an error; the account is gone all the same",
    arguments: [
      (.signOutWrongState, .invalidState), (.signOutMissingState, .invalidState),
      (.noSignOut, .serverError),
    ] as [(Fault, AuthenticationError.Code)], [Service.entra, .oidc])
  func signOut(fault: (Fault, AuthenticationError.Code), service: Service) async throws {
    try await World.with(.with([fault.0])) { world in
      let store = MemoryTokenCacheStore()
      let app = try world.app(at: service, store: store)
      let browser = world.browser(Self.adele)
      let account = try await app.acquireToken(
        .init(scopes: [service.scope], session: browser)
      ).account
      let error = await #expect(throws: AuthenticationError.self) {
        try await app.signOut(account, parameters: SignOutParameters(session: browser))
      }
      #expect(error?.code == fault.1)
      #expect(error?.step == .signOut)
      #expect(await app.accounts().isEmpty)
      #expect(store.load().isEmpty)
    }
  }
}
