import AuthCore
import CurlHTTP
import FoundationEssentials
import TestSupport
import Testing

/// A service may change its algorithms, keys and endpoints at any time (OpenID Connect Core 1.0,
/// section 10.1.1; OpenID Connect Discovery 1.0, section 4).
@Suite("A service that changes while the app is running", .timeLimit(.minutes(5)))
struct ChangedServiceTests {
  let authority: ScriptedAuthority
  let clock = ManualClock()
  let store = ScriptedStore()
  let app: PublicClientApplication

  init() throws {
    authority = try Service.oidc.authority()
    app = try Service.oidc.app(authority, clock: clock, store: store)
  }

  func signIn() async throws -> AuthenticationResult {
    try await app.acquireToken(.init(scopes: ["User.Read"], session: authority.pages))
  }

  @Test("Another signature algorithm is found out, and accepted at once", arguments: [true, false])
  func algorithm(isListed: Bool) async throws {
    let account = try await signIn().account
    authority.willSign(with: .curve("ES256", id: "new"))
    authority.edit(.configuration) {
      $0["id_token_signing_alg_values_supported"] = .array([.string(isListed ? "ES256" : "EdDSA")])
    }
    authority.edit(.claims) { $0["name"] = .string("Adele V.") }
    if isListed {
      #expect(try await app.silently(account, force: true).account.name == "Adele V.")
      #expect(try await signIn().account.name == "Adele V.")
    } else {
      for _ in 1...3 {
        let error = await #expect(throws: AuthenticationError.self) {
          try await app.silently(account, force: true)
        }
        #expect(error?.code == .invalidIDToken)
      }
    }
    #expect(authority.count(.configuration) == 2, "it is asked once, not at each refusal")
  }

  @Test("What does not fit is asked for again every five minutes at most")
  func pause() async throws {
    let account = try await signIn().account
    authority.edit(.claims) { $0["iss"] = .string("https://evil.example") }
    for seconds in [0.0, 299, 1, 299, 1] {
      clock.advance(by: seconds)
      await #expect(throws: AuthenticationError.self) {
        try await app.silently(account, force: true)
      }
    }
    #expect(authority.count(.configuration) == 4)
  }

  @Test("Another key under the same ID is fetched")
  func key() async throws {
    let account = try await signIn().account
    authority.willSign(with: .rsa("key-1"))
    authority.edit(.claims) { $0["name"] = .string("Adele V.") }
    #expect(try await app.silently(account, force: true).account.name == "Adele V.")
    #expect(authority.count(.keys) == 2)
  }

  @Test("A token endpoint that has moved is found", arguments: [301, 404, 405, 410])
  func tokenEndpoint(status: Int) async throws {
    let account = try await signIn().account
    let moved = "https://\(authority.host)/v2/connect/token"
    authority.edit(.configuration) { $0["token_endpoint"] = .string(moved) }
    authority.next(.token, status: status, "")
    #expect(try await app.silently(account, force: true).source == .server)
    let calls = authority.calls.filter { $0.endpoint == .token }
    #expect(calls.map(\.url).suffix(2) == ["https://\(authority.host)/connect/token", moved])
    #expect(authority.lastForm["refresh_token"] == "refresh-canary-1")
    _ = try await app.silently(account, force: true)
    #expect(authority.count(.configuration) == 2)
  }

  @Test("Pages that have moved are found at the next try")
  func pages() async throws {
    _ = try await signIn()
    let moved = "https://\(authority.host)/v2/connect/authorize"
    authority.edit(.configuration) { $0["authorization_endpoint"] = .string(moved) }
    clock.advance(by: 600)
    let closed = ScriptedPages { _ throws(AuthenticationError) in
      throw AuthenticationError(.userCanceled, "The window was closed.", step: .authorization)
    }
    await #expect(throws: AuthenticationError.self) {
      try await app.acquireToken(.init(scopes: ["User.Read"], session: closed))
    }
    _ = try await signIn()
    #expect(authority.pagesShown.last?.startURL.hasPrefix(moved) == true)
  }

  // MARK: - Issuers

  @Test("Another issuer is refused, and both are named")
  func issuer() async throws {
    let expected = "https://id.contoso.example/Realms/One"
    authority.edit(.configuration) { $0["issuer"] = .string(expected + "/") }
    let error = await #expect(throws: AuthenticationError.self) { try await signIn() }
    #expect(error?.code == .untrustedAuthority)
    #expect(error?.message.contains("“\(expected)/”") == true)
    #expect(error?.message.contains("“\(expected)”") == true)
  }

  @Test("The issuer of an ID token is named with the expected one")
  func tokenIssuer() async throws {
    let expected = "https://id.contoso.example/Realms/One"
    authority.edit(.claims) { $0["iss"] = .string(expected + "/") }
    let error = await #expect(throws: AuthenticationError.self) { try await signIn() }
    #expect(error?.code == .invalidIDToken)
    #expect(error?.message.contains("“\(expected)/” instead of “\(expected)”") == true)
  }

  @Test("A named issuer is one short line, whatever it contains")
  func hostileIssuer() async throws {
    let text = "https://\u{202E}\n\u{1B}[31m" + String(repeating: "x", count: 100_000)
    for document in [ScriptedAuthority.Document.configuration, .claims] {
      authority.edit(.configuration, nil)
      authority.edit(document) { $0[document == .claims ? "iss" : "issuer"] = .string(text) }
      let app = try Service.oidc.app(authority, clock: clock)
      let error = await #expect(throws: AuthenticationError.self) {
        try await app.acquireToken(.init(scopes: ["User.Read"], session: authority.pages))
      }
      let message = try #require(error?.message)
      #expect(message.count < 700)
      #expect(message.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0 != "\u{202E}" })
    }
  }
}
