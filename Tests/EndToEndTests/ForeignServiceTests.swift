import AuthCore
import FoundationEssentials
import IdentityEmulator
import TestSupport
import Testing

@Suite("Behavior of services that are not Microsoft's, over TLS", .serialized)
struct ForeignServiceTests {
  static let adele = "adele@contoso.example"

  /// Rejections of an invalid refresh token without any details.
  static let wordless = [
    CannedReply(status: 400), CannedReply(status: 401),
    CannedReply(status: 400, headers: ["Content-Type": "text/html"], body: "<h1>Bad Request</h1>"),
    CannedReply(status: 401, headers: ["Content-Type": "text/plain"], body: "no"),
    CannedReply(status: 400, body: "{}"), CannedReply(status: 400, body: "{\"error\": null}"),
    CannedReply(status: 400, body: "{\"error\": {\"code\": 5}}"),
    CannedReply(status: 400, body: "[\"invalid_grant\"]"),
    CannedReply(status: 400, headers: ["Content-Encoding": "gzip"]),
  ]

  @Test("A rejection without details requires interaction, and keeps the account")
  func wordlessRefusals() async throws {
    try await World.with { world in
      for service in [Service.entra, .oidc] {
        let store = MemoryTokenCacheStore()
        let app = try world.app(at: service, store: store)
        let first = try await app.acquireToken(
          .init(scopes: [service.scope], session: world.browser(Self.adele)))
        let kept = store.load()
        let asked = SilentTokenParameters(scopes: [service.scope], account: first.account)
        for reply in Self.wordless {
          // After the last pause.
          world.clock.advance(by: 3600)
          await world.emulator.prepareTokenReply(reply)
          let error = await #expect(throws: AuthenticationError.self) {
            try await app.acquireTokenSilent(asked)
          }
          #expect(error?.code == .interactionRequired, "\(reply)")
          #expect(error?.httpStatus == reply.status)
          #expect(store.load() == kept)
          #expect(await app.accounts() == [first.account])
        }
        // The refresh token was kept.
        world.clock.advance(by: 121)
        #expect(try await app.acquireTokenSilent(asked).source == .server)
      }
    }
  }

  @Test("A general provider gets only requests that it supports")
  func plainRequest() async throws {
    try await World.with { world in
      let app = try world.app(at: .oidc, redirectURI: "http://localhost:5000/")
      _ = try await app.acquireToken(
        .init(scopes: [Service.oidc.scope], session: world.browser(Self.adele)))
      let request = try #require(
        await world.emulator.requests.first { $0.path.hasSuffix("/authorize") })
      #expect(!request.query.contains("prompt="))
      #expect(request.query.contains("response_mode=query"))
    }
  }

  @Test("Tokens with a lifetime of minutes are used for minutes")
  func shortLife() async throws {
    try await World.with { world in
      await world.emulator.setTokenLifetime(300)
      let app = try world.app(at: .oidc)
      let first = try await app.acquireToken(
        .init(scopes: [Service.oidc.scope], session: world.browser(Self.adele)))
      let asked = SilentTokenParameters(scopes: [Service.oidc.scope], account: first.account)
      await world.emulator.forgetRequests()
      world.clock.advance(by: 200)
      #expect(try await app.acquireTokenSilent(asked).accessToken == first.accessToken)
      #expect(await world.emulator.requests.isEmpty)
      world.clock.advance(by: 50)
      #expect(try await app.acquireTokenSilent(asked).source == .server)
    }
  }
}
