import AuthCore
import FoundationEssentials
import IdentityEmulator
import TestSupport
import Testing

/// Faults of a service, with the expected result.
struct Faults: Sendable, CustomTestStringConvertible {
  var service: Service
  /// The expected error code; nil when the faults must be tolerated.
  var code: AuthenticationError.Code?
  var faults: [Fault]

  var testDescription: String {
    "\(service.path): \(faults.map(\.name).joined(separator: ", "))"
  }

  /// The same faults of each of `services`.
  static func of(
    _ services: [Service] = [.entra], _ code: AuthenticationError.Code?, _ faults: [Fault]
  ) -> [Faults] {
    services.map { Faults(service: $0, code: code, faults: faults) }
  }
}

/// What a relying party must reject, and what it must tolerate (OpenID Connect Core 1.0, section
/// 3.1.3; RFC 6749; RFC 9207), over TLS.
///
/// Serialized: there are many, and timing-sensitive tests run beside them.
@Suite("Faults of the identity service during a sign-in", .serialized)
struct SignInFaultTests {
  static let adele = "adele@contoso.example"

  static let refusedIDTokens =
    Faults.of(
      [.entra], .invalidIDToken,
      [
        "wrong-issuer", "other-tenant-issuer", "missing-issuer", "missing-tenant", "wrong-audience",
        "missing-audience", "audiences-without-azp", "audiences-azp-other", "missing-exp",
        "text-exp", "missing-iat", "wrong-nonce", "missing-nonce", "missing-sub", "empty-sub",
        "wrong-at-hash",
      ])
    + Faults.of(
      [.tenant, .externalID], .invalidIDToken,
      ["wrong-issuer", "other-tenant-issuer", "other-tenant", "missing-tenant"])
    + Faults.of(
      [.b2c, .b2cWithPrefix, .adfs, .oidc], .invalidIDToken,
      [
        "wrong-issuer", "missing-issuer", "wrong-audience", "audiences-azp-other", "wrong-nonce",
        "missing-nonce", "missing-sub", "wrong-at-hash",
      ])

  static let refusedSignatures = Faults.of(
    Service.all, .invalidIDToken,
    ["wrong-signature", "alg-none", "alg-hs256", "unknown-kid", "unknown-crit"])

  static let refusedResponses =
    Faults.of(
      [.entra, .oidc], .invalidResponse,
      [
        "no-id-token", "no-access-token", "wrong-token-type", "token-html", "token-truncated",
        "token-duplicate", "token-huge", "token-redirect", "jwks-garbage",
      ])
    + Faults.of(
      [.entra, .externalID, .b2c, .b2cWithPrefix], .invalidResponse, ["no-client-info"])
    + Faults.of(
      [.entra, .adfs], .serverUnavailable,
      ["token-429", "token-500", "token-503", "jwks-unavailable"])

  static let refusedAuthorities =
    Faults.of(
      Service.all, .untrustedAuthority,
      [
        "discovery-foreign-endpoint", "discovery-http", "discovery-wrong-issuer",
        "discovery-no-token-endpoint", "discovery-foreign-jwks",
      ])
    + Faults.of(
      [.entra, .oidc], .invalidResponse, ["discovery-html", "discovery-404", "discovery-redirect"])
    + Faults.of(
      [.entra, .oidc], .serverUnavailable, ["discovery-500"])

  static let refusedRedirects =
    Faults.of(
      Service.all, .invalidState, ["wrong-state", "missing-state"])
    + Faults.of(
      Service.all, .invalidResponse,
      [
        "wrong-response-iss", "code-twice", "code-with-error", "empty-code", "response-in-fragment",
      ])
    + Faults.of(
      [.oidc], .invalidResponse, ["missing-response-iss"])

  static let accepted =
    Faults.of(
      [.entra], nil,
      [
        "audiences-azp-client", "old-exp", "old-iat", "future-iat", "missing-nbf", "future-nbf",
        "missing-oid", "wrong-c-hash", "foreign-jku", "no-expires-in", "negative-expires-in",
        "no-refresh-token", "no-end-session", "no-device-endpoint", "other-tenant",
      ])
    + Faults.of(
      Service.all, nil, ["rotated-key"])
    + Faults.of(
      [.adfs, .oidc], nil, ["no-client-info", "missing-tenant"])

  /// Signs in with each fault; checks that nothing rejected is stored, and that a sign-in works
  /// afterwards.
  ///
  /// `more` checks a rejected fault and its requests.
  func refuse(
    _ row: Faults,
    _ more: (Fault, AuthenticationError, Browser, [String]) async throws -> Void
  ) async throws {
    try await World.with { world in
      for fault in row.faults {
        let store = MemoryTokenCacheStore()
        let app = try world.app(at: row.service, store: store)
        let browser = world.browser(Self.adele)
        await world.emulator.forgetRequests()
        await world.emulator.setFaults([fault])
        let error = await #expect(throws: AuthenticationError.self, "\(fault.name)") {
          try await app.acquireToken(
            .init(scopes: [row.service.scope], session: browser))
        }
        #expect(error?.code == row.code, "\(fault.name)")
        #expect(error?.correlationID?.isEmpty == false)
        #expect(await app.accounts().isEmpty, "\(fault.name)")
        #expect(store.load().isEmpty, "\(fault.name)")
        let paths = await world.emulator.requests.map(\.path)
        try await more(fault, try #require(error), browser, paths)

        guard fault == row.faults.last else { continue }
        await world.emulator.setFaults([])
        _ = try await app.acquireToken(.init(scopes: [row.service.scope], session: browser))
        #expect(await app.accounts().count == 1)
      }
    }
  }

  @Test("An ID token that does not belong to this request is rejected", arguments: refusedIDTokens)
  func idToken(row: Faults) async throws {
    try await refuse(row) { _, error, _, _ in #expect(error.step == .token) }
  }

  @Test("An ID token that the service did not sign is rejected", arguments: refusedSignatures)
  func signature(row: Faults) async throws {
    try await refuse(row) { _, error, _, _ in #expect(error.step == .token) }
  }

  @Test("An invalid response is rejected", arguments: refusedResponses)
  func response(row: Faults) async throws {
    // The pause that the server requests, or a minute for an unavailable server.
    let pauses: [Fault: Duration] = [
      "token-429": .seconds(30), "token-503": .seconds(30), "token-500": .seconds(60),
    ]
    try await refuse(row) { fault, error, _, paths in
      #expect(!paths.contains("/elsewhere"), "no redirect is followed")
      if fault != "jwks-unavailable" { #expect(error.retryAfter == pauses[fault]) }
      // Only a server that is unavailable and requests no pause gets a retry.
      let tries = fault == "token-500" ? 2 : 1
      #expect(paths.count { $0.contains("/token") } == tries, "\(fault.name)")
    }
  }

  @Test(
    "An authority whose metadata is missing or names other hosts is not used",
    arguments: refusedAuthorities)
  func authority(row: Faults) async throws {
    try await refuse(row) { fault, error, browser, paths in
      #expect(error.step == .discovery)
      #expect(await browser.pages.isEmpty, "no pages are opened")
      #expect(paths.allSatisfy { $0.hasSuffix("/openid-configuration") })
      #expect(paths.count == (fault == "discovery-500" ? 2 : 1))
    }
  }

  @Test("A redirect that does not belong to this request is rejected", arguments: refusedRedirects)
  func redirect(row: Faults) async throws {
    try await refuse(row) { fault, error, _, paths in
      #expect(!paths.contains { $0.contains("/token") }, "no code is redeemed: \(fault.name)")
      #expect(error.step == .authorization)
      #expect(error.oauthError == nil, "nothing of it is believed: \(fault.name)")
    }
  }

  @Test(
    "Variations that the standards allow, or that a wrong clock causes, are accepted",
    arguments: accepted)
  func bear(row: Faults) async throws {
    try await World.with { world in
      for fault in row.faults {
        await world.emulator.setFaults([])
        let app = try world.app(at: row.service)
        let parameters = InteractiveTokenParameters(
          scopes: [row.service.scope], session: world.browser(Self.adele))
        // Signed in before, so that the old key is cached when the new one is used.
        if fault == "rotated-key" { _ = try await app.acquireToken(parameters) }
        await world.emulator.setFaults([fault])
        await world.emulator.forgetRequests()
        let result = try await app.acquireToken(parameters)
        #expect(await app.accounts() == [result.account], "\(fault.name)")
        let requests = await world.emulator.requests
        #expect(requests.allSatisfy { $0.status < 400 })
        #expect(
          requests.count { $0.path.hasSuffix("/keys") } == 1,
          "the keys are fetched once; when they changed, once more")
      }
    }
  }

  @Test("A code that is already redeemed returns no tokens; the server's error is reported")
  func codeRedeemed() async throws {
    for (service, numbers) in [(Service.entra, [54005]), (.oidc, [])] {
      let row = Faults(service: service, code: .interactionRequired, faults: ["code-redeemed"])
      try await refuse(row) { _, error, _, _ in
        #expect(error.oauthError == "invalid_grant")
        #expect(error.serverErrorCodes == numbers)
      }
    }
  }

  @Test("An error with status 200 is an error")
  func errorWithOK() async throws {
    let row = Faults(service: .entra, code: .interactionRequired, faults: ["token-error-200"])
    try await refuse(row) { _, error, _, _ in #expect(error.oauthError == "invalid_grant") }
  }

  @Test("Fewer scopes are an error; the account is stored with those that were granted")
  func fewerScopes() async throws {
    try await World.with(.with(["fewer-scopes"])) { world in
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

  @Test(
    "Waiting for a service that does not answer can be canceled immediately",
    .timeLimit(.minutes(5)))
  func slow() async throws {
    try await World.with(.with(["token-slow"])) { world in
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
      // An answer is given five seconds to arrive, and without the cancellation 30.
      #expect(clock.now - start < .seconds(20))
      #expect(await app.accounts().isEmpty)
    }
  }
}

extension EmulatorConfiguration {
  /// The demo's configuration with faults.
  static func with(_ faults: Set<Fault>) -> EmulatorConfiguration {
    var configuration = EmulatorConfiguration()
    configuration.faults = faults
    return configuration
  }
}
