import AuthCore
import FoundationEssentials
import IdentityEmulator
import MicrosoftGraph
import TestSupport
import Testing

@Suite("Every kind of authority, from the first page to the sign-out, over TLS", .serialized)
struct AuthorityKindTests {
  static let adele = "adele@contoso.example"

  /// The recorded requests whose path ends with `ending`.
  static func requests(_ world: World, to ending: String) async -> [RecordedRequest] {
    await world.emulator.requests.filter { $0.path.hasSuffix(ending) }
  }

  /// The claims of an ID token.
  static func claims(_ token: Secret<String>?) throws -> JSON {
    let parts = try #require(token).exposed.split(separator: ".")
    return try JSON(parsing: try #require(Base64URL.decode(parts[1])))
  }

  @Test("Sign-in, cached token, renewal and sign-out", arguments: Service.all)
  func wholeStory(service: Service) async throws {
    try await World.with { world in
      let app = try world.app(at: service)
      let browser = world.browser(Self.adele)
      let first = try await app.acquireToken(.init(scopes: [service.scope], session: browser))
      #expect(await browser.pageNames == ["enter-username", "enter-password"] + service.pages)
      #expect(first.account.username == Self.adele)
      #expect(first.account.name == (service.kind == .adfs ? nil : "Adele Vance"))
      #expect(first.scopes.contains(service.scope))
      #expect(await app.accounts() == [first.account])
      let me = try await world.me(first, path: service.api).json()
      #expect(me["displayName"]?.string == "Adele Vance")

      await world.emulator.forgetRequests()
      let asked = SilentTokenParameters(scopes: [service.scope], account: first.account)
      let cached = try await app.acquireTokenSilent(asked)
      #expect(cached.source == .cache)
      #expect(cached.accessToken == first.accessToken)
      #expect(await world.emulator.requests.isEmpty)

      // Twice: the first renewal must leave a refresh token for the second.
      var renewed = cached
      for _ in 1...2 {
        world.clock.advance(by: 3600)
        let next = try await app.acquireTokenSilent(asked)
        #expect(next.source == .server)
        #expect(next.accessToken != renewed.accessToken)
        #expect(next.account == first.account)
        renewed = next
      }
      // With several tenants, only the one of the account is requested, whose metadata is not
      // cached yet.
      let requests = await world.emulator.requests
      #expect(requests.count { $0.method == "POST" } == 2)
      #expect(requests.contains { $0.method == "GET" } == (service.kind == .entra))
      #expect(try await world.me(renewed, path: service.api).status == 200)

      await browser.forgetPages()
      let end = try await app.signOut(
        first.account, parameters: SignOutParameters(session: browser))
      #expect(end.browserSession == .done)
      #expect(await app.accounts().isEmpty)
      #expect(await browser.pages.isEmpty, "nobody is asked who signs out")
      var again = InteractiveTokenParameters(scopes: [service.scope], session: browser)
      again.prompt = .promptIfNecessary
      _ = try await app.acquireToken(again)
      #expect(await browser.pageNames.first == "enter-username", "the browser's session is over")
    }
  }

  @Test("Account IDs: tenants have an ID, policies add to it, other kinds have a subject")
  func homeAccounts() async throws {
    try await World.with { world in
      var ids: [String: HomeAccountID] = [:]
      for service in Service.all {
        let result = try await world.app(at: service).acquireToken(
          .init(scopes: [service.scope], session: world.browser(Self.adele)))
        let claims = try Self.claims(result.idToken)
        ids[service.path] = result.account.homeAccountID
        switch service.kind.known {
        case .entra, .externalID:
          #expect(result.account.homeAccountID.tenantID == claims["tid"]?.string)
          #expect(result.account.homeAccountID.objectID == claims["oid"]?.string)
          #expect(result.tenantID == claims["tid"]?.string)
        case .b2c:
          #expect(claims["tid"] == nil)
          #expect(claims["tfp"]?.string == "B2C_1_signin")
          #expect(
            result.account.homeAccountID.objectID
              == "\(claims["oid"]?.string ?? "")-b2c_1_signin")
        case .adfs, .oidc:
          #expect(result.account.id == claims["sub"]?.string)
          #expect(result.tenantID == (service.kind == .adfs ? "adfs" : ""))
        }
      }
      #expect(ids["/shop.example/B2C_1_signin"] == ids["/tfp/shop.example/B2C_1_signin"])
      #expect(Set(ids.values).count == 5, "an account of each service, and none of another's")
    }
  }

  @Test(
    "The issuer is the one in the service's metadata",
    arguments: [
      (.entra, "@/f3a8c5d2-7b1e-4c69-9d04-5e2b8a7c1f60/v2.0"),
      (
        .externalID,
        "https://6d2f8b07-c4e1-4a35-b9f6-17a0e3d58c92.ciamlogin.com/6d2f8b07-c4e1-4a35-b9f6-17a0e3d58c92/v2.0"
      ),
      (.b2c, "@/a94c1e63-5f0b-4d78-8c2a-e6b7094d3f15/v2.0/"),
      (.b2cWithPrefix, "@/tfp/a94c1e63-5f0b-4d78-8c2a-e6b7094d3f15/b2c_1_signin/v2.0/"),
      (.adfs, "@/adfs"), (.oidc, "@/realms/Contoso"),
    ] as [(Service, String)])
  func issuers(service: Service, issuer: String) async throws {
    try await World.with { world in
      let result = try await world.app(at: service).acquireToken(
        .init(scopes: [service.scope], session: world.browser(Self.adele)))
      let claims = try Self.claims(result.idToken)
      #expect(
        claims["iss"]?.string == issuer.replacing("@", with: world.running.baseURL))
    }
  }

  @Test("client_info is requested from the kinds that have it", arguments: Service.all)
  func clientInfo(service: Service) async throws {
    try await World.with { world in
      let app = try world.app(at: service)
      _ = try await app.acquireToken(
        .init(scopes: [service.scope], session: world.browser(Self.adele)))
      let authorize = try #require(
        await world.emulator.requests.first { $0.path.contains("authorize") })
      let token = try #require(
        await world.emulator.requests.first { $0.method == "POST" && $0.path.contains("token") })
      let hasIt = service.kind != .adfs && service.kind != .oidc
      #expect(authorize.query.contains("client_info=1") == hasIt)
      #expect(token.body.contains("client_info=1") == hasIt)
      #expect(
        token.body.contains("offline_access") == (service.kind != .adfs),
        "AD FS has no such scope, and gives a refresh token without it")
    }
  }

  @Test("B2C has its policy in the query of every endpoint")
  func policyInQuery() async throws {
    try await World.with { world in
      let app = try world.app(at: .b2c)
      let browser = world.browser(Self.adele)
      let result = try await app.acquireToken(.init(scopes: [Service.b2c.scope], session: browser))
      _ = try await app.signOut(result.account, parameters: SignOutParameters(session: browser))
      for ending in ["authorize", "token", "logout"] {
        let requests = await Self.requests(world, to: ending)
        #expect(requests.count == 1)
        #expect(requests.allSatisfy { $0.query.hasPrefix("p=b2c_1_signin") })
      }
    }
  }

  @Test("A policy's account and refresh token are not used for another policy")
  func otherPolicy() async throws {
    try await World.with { world in
      let app = try world.app(at: .b2c)
      let first = try await app.acquireToken(
        .init(scopes: [Service.b2c.scope], session: world.browser(Self.adele)))
      await world.emulator.forgetRequests()
      var asked = SilentTokenParameters(scopes: [Service.b2c.scope], account: first.account)
      asked.authority = try Authority(
        "\(world.running.baseURL)/shop.example/B2C_1_edit", kind: .b2c)
      let error = await #expect(throws: AuthenticationError.self) {
        try await app.acquireTokenSilent(asked)
      }
      #expect(error?.code == .interactionRequired)
      #expect(await world.emulator.requests.isEmpty)

      var edit = InteractiveTokenParameters(
        scopes: [Service.b2c.scope], session: world.browser(Self.adele))
      edit.authority = asked.authority
      let second = try await app.acquireToken(edit)
      #expect(second.account != first.account)
      #expect(second.account.homeAccountID.objectID.hasSuffix("-b2c_1_edit"))
      #expect(await app.accounts().count == 2)
    }
  }

  @Test("Canceling at a B2C policy is an ordinary cancellation, with its own number")
  func cancelledPolicy() async throws {
    try await World.with { world in
      let browser = Browser(caFile: world.running.caFile) { page in
        page.name == "enter-username" ? .press("cancel") : .close
      }
      let error = await #expect(throws: AuthenticationError.self) {
        try await world.app(at: .b2c).acquireToken(
          .init(scopes: [Service.b2c.scope], session: browser))
      }
      #expect(error?.code == .userCanceled)
      #expect(error?.serverDescription?.hasPrefix("AADB2C90091") == true)
    }
  }

  @Test("AD FS rejects users who are not in its directory")
  func stranger() async throws {
    try await World.with { world in
      let browser = Browser(caFile: world.running.caFile) { page in
        page.text(of: "message") == nil
          ? .press("next", ["username": "chiara@outlook.example"]) : .close
      }
      let error = await #expect(throws: AuthenticationError.self) {
        try await world.app(at: .adfs).acquireToken(
          .init(scopes: [Service.adfs.scope], session: browser))
      }
      #expect(error?.code == .userCanceled)
      #expect(await browser.pages.last?.text(of: "message")?.hasPrefix("Incorrect user ID") == true)
    }
  }

  @Test("An OpenID Connect provider accepts a refresh token once; the next call has the new one")
  func rotation() async throws {
    try await World.with { world in
      let app = try world.app(at: .oidc)
      let first = try await app.acquireToken(
        .init(scopes: [Service.oidc.scope], session: world.browser(Self.adele)))
      var asked = SilentTokenParameters(scopes: [Service.oidc.scope], account: first.account)
      asked.forceRefresh = true
      for _ in 1...3 { #expect(try await app.acquireTokenSilent(asked).source == .server) }
      let sent = await Self.requests(world, to: "/token").compactMap { request in
        request.body.split(separator: "&").first { $0.hasPrefix("refresh_token=") }
      }
      #expect(Set(sent).count == 3)
    }
  }

  @Test("Device codes work where they are supported, and are rejected elsewhere")
  func deviceCode() async throws {
    try await World.with { world in
      for service in [Service.externalID, .adfs, .oidc] {
        let code = DeviceCodeTokenParameters(scopes: [service.scope]) { code in
          _ = await DeviceCodeTests.enter(code, world)
        }
        let result = try await world.app(at: service).acquireToken(code)
        #expect(result.account.username == Self.adele)
      }
      let error = await #expect(throws: AuthenticationError.self) {
        try await world.app(at: .b2c).acquireToken(
          DeviceCodeTokenParameters(scopes: [Service.b2c.scope]) { _ in })
      }
      #expect(error?.code == .deviceCodeNotSupported)
      #expect(error?.message.contains("does not support sign-in with a device code") == true)
    }
  }
}
