import AuthCore
import FoundationEssentials
import IdentityEmulator
import TestSupport
import Testing

/// A fault of a service, and what comes of it.
struct FaultRow: Sendable, CustomTestStringConvertible {
  var fault: Fault
  var service: Service
  var code: AuthenticationError.Code?

  init(_ fault: Fault, at service: Service, _ code: AuthenticationError.Code?) {
    self.fault = fault
    self.service = service
    self.code = code
  }

  var testDescription: String { "\(fault.name) at \(service.path)" }

  /// A row for each of `faults`.
  static func rows(
    _ code: AuthenticationError.Code?, at services: [Service] = [.entra], _ faults: [Fault]
  ) -> [FaultRow] {
    services.flatMap { service in faults.map { FaultRow($0, at: service, code) } }
  }
}

/// What a relying party must refuse, and what it must bear (OpenID Connect Core 1.0, section 3.1.3;
/// RFC 6749; RFC 9207), over TLS.
@Suite("An identity service that misbehaves, at a sign-in")
struct SignInFaultTests {
  static let adele = "adele@contoso.example"

  static let refusedIDTokens =
    FaultRow.rows(
      .invalidIDToken,
      [
        .wrongIssuer, .otherTenantIssuer, .missingIssuer, .missingTenant, .wrongAudience,
        .missingAudience, .audiencesWithoutParty, .audiencesOfOther, .missingExpiry,
        .wrongExpiry, .missingIssuedAt, .wrongNonce, .missingNonce, .missingSubject,
        .emptySubject, .wrongTokenHash,
      ])
    + FaultRow.rows(
      .invalidIDToken, at: [.tenant, .externalID],
      [.wrongIssuer, .otherTenantIssuer, .otherTenant, .missingTenant])
    + FaultRow.rows(
      .invalidIDToken, at: [.b2c, .b2cWithPrefix, .adfs, .oidc],
      [
        .wrongIssuer, .missingIssuer, .wrongAudience, .audiencesOfOther, .wrongNonce,
        .missingNonce, .missingSubject, .wrongTokenHash,
      ])

  static let refusedSignatures = FaultRow.rows(
    .invalidIDToken, at: Service.all,
    [.wrongSignature, .algorithmNone, .algorithmHMAC, .unknownKeyID, .unknownExtension])

  static let refusedResponses =
    FaultRow.rows(
      .invalidResponse, at: [.entra, .oidc],
      [
        .missingIDToken, .missingAccessToken, .wrongTokenType, .negativeLifetime, .tokenPage,
        .tokenTruncated, .tokenDuplicate, .tokenHuge, .tokenRedirect, .keySetGarbage,
      ])
    + FaultRow.rows(
      .invalidResponse, at: [.entra, .externalID, .b2c, .b2cWithPrefix], [.missingClientInfo])
    + FaultRow.rows(
      .serverUnavailable, at: [.entra, .adfs],
      [.tokenThrottled, .tokenServerError, .tokenUnavailable, .keySetUnavailable])

  static let refusedAuthorities =
    FaultRow.rows(
      .untrustedAuthority, at: Service.all,
      [
        .discoveryForeign, .discoveryInsecure, .discoveryIssuer, .discoveryIncomplete,
        .discoveryForeignKeys,
      ])
    + FaultRow.rows(
      .invalidResponse, at: [.entra, .oidc],
      [.discoveryPage, .discoveryNotFound, .discoveryRedirect])
    + FaultRow.rows(.serverUnavailable, at: [.entra, .oidc], [.discoveryServerError])

  static let refusedRedirects =
    FaultRow.rows(.invalidState, at: Service.all, [.wrongState, .missingState])
    + FaultRow.rows(
      .invalidResponse, at: Service.all,
      [
        .wrongResponseIssuer, .codeTwice, .codeWithError, .emptyCode, .inFragment,
      ])
    + FaultRow.rows(.invalidResponse, at: [.oidc], [.missingResponseIssuer])

  static let accepted =
    FaultRow.rows(
      nil,
      [
        .audiencesOfClient, .oldExpiry, .oldIssuedAt, .futureIssuedAt, .missingNotBefore,
        .futureNotBefore, .missingObjectID, .wrongCodeHash, .foreignKeySet, .missingLifetime,
        .missingRefreshToken, .noSignOut, .noDeviceCode, .otherTenant,
      ])
    + FaultRow.rows(nil, at: Service.all, [.rotatedKey])
    + FaultRow.rows(nil, at: [.adfs, .oidc], [.missingClientInfo, .missingTenant])

  /// Signs in while `row.fault` is on; looks that nothing is kept of what was refused, and that the
  /// next sign-in works.
  func refuse(
    _ row: FaultRow, _ more: (World, Browser, AuthenticationError) async throws -> Void
  ) async throws {
    try await World.with(.with([row.fault])) { world in
      let store = MemoryTokenCacheStore()
      let app = try world.app(at: row.service, store: store)
      let browser = world.browser(Self.adele)
      let parameters = InteractiveTokenParameters(scopes: [row.service.scope], session: browser)
      let error = await #expect(throws: AuthenticationError.self) {
        try await app.acquireToken(parameters)
      }
      #expect(error?.code == row.code)
      #expect(error?.correlationID?.isEmpty == false)
      #expect(await app.accounts().isEmpty)
      #expect(store.load().isEmpty)
      try await more(world, browser, try #require(error))

      await world.emulator.setFaults([])
      _ = try await app.acquireToken(parameters)
      #expect(await app.accounts().count == 1)
    }
  }

  @Test("An ID token that is not the answer to this request is refused", arguments: refusedIDTokens)
  func idToken(row: FaultRow) async throws {
    try await refuse(row) { _, _, error in #expect(error.step == .token) }
  }

  @Test("An ID token that the service did not sign is refused", arguments: refusedSignatures)
  func signature(row: FaultRow) async throws {
    try await refuse(row) { _, _, error in #expect(error.step == .token) }
  }

  @Test("An answer that is none is refused", arguments: refusedResponses)
  func response(row: FaultRow) async throws {
    // What the server asks for, or else a minute for one that is out of order.
    let pauses: [Fault: Duration] = [
      .tokenThrottled: .seconds(30), .tokenUnavailable: .seconds(30),
      .tokenServerError: .seconds(60),
    ]
    let pause = pauses[row.fault]
    // Only a server that is out of order, and asks for no pause, is asked once more.
    let tries = row.fault == .tokenServerError ? 2 : 1
    try await refuse(row) { world, _, error in
      let paths = await world.emulator.requests.map(\.path)
      #expect(!paths.contains("/elsewhere"), "no redirect is followed")
      #expect(error.retryAfter == pause)
      #expect(paths.count { $0.contains("/token") } == tries)
    }
  }

  @Test("An authority that names strangers, or nothing, is left alone", arguments: refusedAuthorities)
  func authority(row: FaultRow) async throws {
    try await refuse(row) { world, browser, error in
      #expect(error.step == .discovery)
      #expect(await browser.pages.isEmpty, "no pages are opened")
      let requests = await world.emulator.requests
      #expect(requests.allSatisfy { $0.path.hasSuffix("/openid-configuration") })
      #expect(requests.count == (row.fault == .discoveryServerError ? 2 : 1))
    }
  }

  @Test("A redirect that is no answer to this request is dropped", arguments: refusedRedirects)
  func redirect(row: FaultRow) async throws {
    try await refuse(row) { world, _, error in
      let requests = await world.emulator.requests
      #expect(!requests.contains { $0.path.contains("/token") }, "no code is redeemed")
      #expect(error.step == .authorization)
      #expect(error.oauthError == nil, "nothing of it is believed")
    }
  }

  @Test("What the standards allow, or a wrong clock brings, is borne", arguments: accepted)
  func bear(row: FaultRow) async throws {
    try await World.with { world in
      let app = try world.app(at: row.service)
      // Signed in before, so that the old key is known when the new one comes.
      let parameters = InteractiveTokenParameters(
        scopes: [row.service.scope], session: world.browser(Self.adele))
      if row.fault == .rotatedKey { _ = try await app.acquireToken(parameters) }
      await world.emulator.setFaults([row.fault])
      await world.emulator.forgetRequests()
      let result = try await app.acquireToken(parameters)
      #expect(await app.accounts() == [result.account])
      #expect(await world.emulator.requests.allSatisfy { $0.status < 400 })
      let keys = await world.emulator.requests.count { $0.path.hasSuffix("/keys") }
      #expect(keys == 1, "the keys are fetched once; when they changed, once more")
    }
  }

  @Test("A code that is redeemed already brings nothing; what the server says is told")
  func codeRedeemed() async throws {
    try await refuse(FaultRow(.codeRedeemed, at: .entra, .interactionRequired)) { _, _, error in
      #expect(error.oauthError == "invalid_grant")
      #expect(error.serverErrorCodes == [54005])
    }
    try await refuse(FaultRow(.codeRedeemed, at: .oidc, .interactionRequired)) { _, _, error in
      #expect(error.oauthError == "invalid_grant")
      #expect(error.serverErrorCodes.isEmpty)
    }
  }

  @Test("A refusal with status 200 is a refusal")
  func errorWithOK() async throws {
    try await refuse(FaultRow(.tokenErrorOK, at: .entra, .interactionRequired)) { _, _, error in
      #expect(error.oauthError == "invalid_grant")
    }
  }

  @Test("Fewer scopes are an error that says so; the account is kept with what was granted")
  func fewerScopes() async throws {
    try await World.with(.with([.fewerScopes])) { world in
      let app = try world.app(at: .oidc)
      let error = await #expect(throws: AuthenticationError.self) {
        try await app.acquireToken(
          .init(scopes: [Service.oidc.scope], session: world.browser(Self.adele)))
      }
      #expect(error?.code == .serverDeclinedScopes)
      #expect(error?.message.contains(Service.oidc.scope) == true)
      #expect(await app.accounts().count == 1)
    }
  }

  @Test("Who waits for a service that does not answer can give up at once", .timeLimit(.minutes(1)))
  func slow() async throws {
    try await World.with(.with([.tokenSlow])) { world in
      let app = try world.app()
      let browser = world.browser(Self.adele)
      let signIn = Task {
        do throws(AuthenticationError) {
          _ = try await app.acquireToken(.init(scopes: ["User.Read"], session: browser))
          return nil as AuthenticationError?
        } catch {
          return error
        }
      }
      while await world.emulator.requestCounts[SignInTests.token] == nil {
        try Task.checkCancellation()
        await Task.yield()
      }
      let clock = ContinuousClock()
      let start = clock.now
      signIn.cancel()
      #expect(await signIn.value?.code == .userCanceled)
      #expect(clock.now - start < .seconds(2))
      #expect(await app.accounts().isEmpty)
    }
  }
}

extension EmulatorConfiguration {
  /// The demo's, with faults.
  static func with(_ faults: Set<Fault>) -> EmulatorConfiguration {
    var configuration = EmulatorConfiguration()
    configuration.faults = faults
    return configuration
  }
}
