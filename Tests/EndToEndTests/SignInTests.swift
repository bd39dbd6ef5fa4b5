import AuthCore
import CurlHTTP
import FoundationEssentials
import IdentityEmulator
import MicrosoftGraph
import TestSupport
import Testing

@Suite("From the first page to Graph, over TLS")
struct SignInTests {
  static let token = "POST /{tenant}/oauth2/v2.0/token"

  /// Runs `body` with a new emulator.
  func withWorld(_ body: (World) async throws -> Void) async throws {
    try await World.with(EmulatorConfiguration(), body)
  }

  @Test("A work user signs in for the first time, after a wrong password, and calls Graph")
  func firstSignIn() async throws {
    try await withWorld { world in
      let browser = Browser(caFile: world.running.caFile) { page in
        switch page.name {
        case "enter-username": .press("next", ["username": "adele@contoso.example"])
        case "enter-password":
          .press(
            "sign-in",
            ["password": page.text(of: "message") == nil ? "wrong" : "Entrance-Demo-1"])
        case "consent": .press("accept")
        case "stay-signed-in": .press("stay-no")
        default: .close
        }
      }
      let app = try world.app()
      let result = try await app.acquireToken(.init(scopes: ["User.Read"], session: browser))
      #expect(
        await browser.pageNames == [
          "enter-username", "enter-password", "enter-password", "consent", "stay-signed-in",
        ])
      #expect(result.account.username == "adele@contoso.example")
      #expect(result.account.name == "Adele Vance")
      #expect(!result.account.isPersonal)
      #expect(result.accessToken.exposed.split(separator: ".").count == 3)
      #expect(await app.accounts() == [result.account])

      let me = try await world.me(result).json()
      #expect(me["userPrincipalName"]?.string == "adele@contoso.example")
      #expect(me["displayName"]?.string == "Adele Vance")
    }
  }

  @Test("A personal account's token is opaque, and Graph accepts it")
  func personal() async throws {
    try await withWorld { world in
      let result = try await world.app().acquireToken(
        .init(scopes: ["User.Read"], session: world.browser("chiara@outlook.example")))
      #expect(result.account.isPersonal)
      #expect(result.accessToken.exposed.split(separator: ".").count != 3)
      #expect(try await world.me(result).json()["displayName"]?.string == "Chiara Rossi")
    }
  }

  @Test(
    "Graph has the photo of a user who has one",
    arguments: [("adele@contoso.example", true), ("bram@contoso.example", false)])
  func photo(username: String, exists: Bool) async throws {
    try await withWorld { world in
      let result = try await world.app().acquireToken(
        .init(scopes: ["User.Read"], session: world.browser(username)))
      #expect(try await (world.photo(result) != nil) == exists)
    }
  }

  @Test("A guest has one account, and a token for each tenant")
  func guest() async throws {
    try await withWorld { world in
      let app = try world.app()
      let browser = world.browser("dara@contoso.example")
      let home = try await app.acquireToken(.init(scopes: ["User.Read"], session: browser))
      var parameters = SilentTokenParameters(scopes: ["User.Read"], account: home.account)
      parameters.authority = try Authority("\(world.running.baseURL)/fabrikam.example")
      let away = try await app.acquireTokenSilent(parameters)
      #expect(away.tenantID != home.tenantID)
      #expect(away.accessToken != home.accessToken)
      #expect(away.account == home.account)
      let account = try #require(await app.accounts().first)
      #expect(Set(account.tenantProfiles.map(\.tenantID)) == [home.tenantID, away.tenantID])
      #expect(Set(account.tenantProfiles.map(\.localAccountID)).count == 2)
    }
  }

  @Test("A cached token needs no request; an expired one is renewed without pages")
  func silent() async throws {
    try await withWorld { world in
      let app = try world.app()
      let browser = world.browser("adele@contoso.example")
      let first = try await app.acquireToken(.init(scopes: ["User.Read"], session: browser))
      await browser.forgetPages()
      await world.emulator.forgetRequests()

      let asked = SilentTokenParameters(scopes: ["User.Read"], account: first.account)
      let cached = try await app.acquireTokenSilent(asked)
      #expect(cached.accessToken == first.accessToken)
      #expect(cached.source == .cache)
      #expect(await world.emulator.requests.isEmpty)

      world.clock.advance(by: 3600)
      let renewed = try await app.acquireTokenSilent(asked)
      #expect(renewed.source == .server)
      #expect(renewed.accessToken != first.accessToken)
      #expect(await world.emulator.requestCounts[Self.token] == 1)
      #expect(await browser.pages.isEmpty)
      #expect(try await world.me(renewed).status == 200)
    }
  }

  @Test("A revoked refresh token requires interaction")
  func revoked() async throws {
    try await withWorld { world in
      let app = try world.app()
      let browser = world.browser("adele@contoso.example")
      let first = try await app.acquireToken(.init(scopes: ["User.Read"], session: browser))
      try await world.emulator.revokeRefreshTokens(of: "adele@contoso.example")
      world.clock.advance(by: 3600)
      let asked = SilentTokenParameters(scopes: ["User.Read"], account: first.account)
      let error = await #expect(throws: AuthenticationError.self) {
        try await app.acquireTokenSilent(asked)
      }
      #expect(error?.code == .interactionRequired)
      #expect(error?.serverErrorCodes == [50173])
      #expect(error?.correlationID?.isEmpty == false)
      #expect(await app.accounts() == [first.account])
      _ = try await app.acquireToken(.init(scopes: ["User.Read"], session: browser))
      #expect(try await app.acquireTokenSilent(asked).source == .cache)
    }
  }

  @Test("A user who declines consent is not signed in")
  func consentRefused() async throws {
    try await withWorld { world in
      let app = try world.app()
      let browser = Browser(
        caFile: world.running.caFile, username: "adele@contoso.example", consents: false)
      let error = await #expect(throws: AuthenticationError.self) {
        try await app.acquireToken(.init(scopes: ["User.Read"], session: browser))
      }
      #expect(error?.code == .userCanceled)
      #expect(error?.oauthError == "access_denied")
      #expect(error?.serverErrorCodes == [65004])
      #expect(await app.accounts().isEmpty)
      #expect(await world.emulator.requestCounts[Self.token] == nil)
    }
  }

  @Test(
    "The pages depend on the prompt, for a user with a browser session",
    arguments: [
      (.promptIfNecessary, []), (.selectAccount, ["pick-account"]),
      (.login, ["pick-account", "enter-password", "stay-signed-in"]), (.consent, ["consent"]),
    ] as [(Prompt, [String])])
  func prompts(prompt: Prompt, names: [String]) async throws {
    try await withWorld { world in
      let app = try world.app()
      let browser = world.browser("adele@contoso.example")
      _ = try await app.acquireToken(.init(scopes: ["User.Read"], session: browser))
      await browser.forgetPages()
      var parameters = InteractiveTokenParameters(scopes: ["User.Read"], session: browser)
      parameters.prompt = prompt
      _ = try await app.acquireToken(parameters)
      #expect(await browser.pageNames == names)
    }
  }

  @Test("An account is created on the pages")
  func create() async throws {
    try await withWorld { world in
      let browser = Browser(caFile: world.running.caFile) { page in
        switch page.name {
        case "create-account":
          .press("create", ["display-name": "Nia Grant", "username": "nia@outlook.example"])
        case "enter-password": .press("sign-in", ["password": "Entrance-Demo-1"])
        case "consent": .press("accept")
        case "stay-signed-in": .press("stay-no")
        default: .close
        }
      }
      var parameters = InteractiveTokenParameters(scopes: ["User.Read"], session: browser)
      parameters.prompt = .create
      let result = try await world.app().acquireToken(parameters)
      #expect(result.account.name == "Nia Grant")
      #expect(result.account.isPersonal)
    }
  }

  @Test("Signing out with the page ends the browser session too")
  func signOut() async throws {
    try await withWorld { world in
      let app = try world.app()
      let browser = world.browser("adele@contoso.example")
      let result = try await app.acquireToken(.init(scopes: ["User.Read"], session: browser))
      await browser.forgetPages()
      let gone = try await app.signOut(
        result.account, parameters: SignOutParameters(session: browser))
      #expect(gone.failures.isEmpty)
      #expect(gone.browserSession == .done)
      #expect(await app.accounts().isEmpty)
      #expect(await browser.pages.isEmpty, "nobody is asked who signs out")
      var parameters = InteractiveTokenParameters(scopes: ["User.Read"], session: browser)
      parameters.prompt = .promptIfNecessary
      _ = try await app.acquireToken(parameters)
      #expect(await browser.pageNames.first == "enter-username")
    }
  }

  @Test("An unregistered redirect URI ends on the service's error page")
  func wrongRedirectURI() async throws {
    try await withWorld { world in
      let browser = world.browser("adele@contoso.example")
      let app = try world.app(redirectURI: "msauth.com.example.other://auth")
      let error = await #expect(throws: AuthenticationError.self) {
        try await app.acquireToken(.init(scopes: ["User.Read"], session: browser))
      }
      #expect(error?.code == .userCanceled)
      #expect(await browser.pages.last?.text(of: "error-code") == "AADSTS50011")
      #expect(
        await browser.pages.last?.text(of: "correlation-id") == error?.correlationID)
    }
  }

  // MARK: - Errors

  @Test("When the service becomes unavailable after the pages, the error is a network error")
  func stopped() async throws {
    try await withWorld { world in
      let browser = world.browser("adele@contoso.example")
      let pages = ScriptedPages { request throws(AuthenticationError) in
        let redirect = try await browser.authenticate(request)
        await world.emulator.stop()
        return redirect
      }
      let app = try world.app()
      let error = await #expect(throws: AuthenticationError.self) {
        try await app.acquireToken(.init(scopes: ["User.Read"], session: pages))
      }
      #expect(error?.code == .networkUnavailable, "\(String(describing: error))")
      #expect(error?.step == .token)
      #expect(await app.accounts().isEmpty)
    }
  }

  @Test("An untrusted certificate fails the sign-in before any page")
  func untrusted() async throws {
    try await withWorld { world in
      let browser = world.browser("adele@contoso.example")
      let app = try world.app(trusts: false)
      let error = await #expect(throws: AuthenticationError.self) {
        try await app.acquireToken(.init(scopes: ["User.Read"], session: browser))
      }
      #expect(error?.code == .tlsFailure)
      #expect(error?.step == .discovery)
      #expect(await browser.pages.isEmpty)
    }
  }

  @Test("Graph rejects an expired token, and accepts a renewed one")
  func expiredAtGraph() async throws {
    try await withWorld { world in
      let app = try world.app()
      let browser = world.browser("bram@contoso.example")
      let result = try await app.acquireToken(.init(scopes: ["User.Read"], session: browser))
      await world.emulator.expireAccessTokens()
      let error = await #expect(throws: GraphError.self) { try await world.me(result) }
      #expect(error?.code == .unauthorized)
      #expect(error?.serverCode == "InvalidAuthenticationToken")
      #expect(error?.requestID?.isEmpty == false)
      var again = SilentTokenParameters(scopes: ["User.Read"], account: result.account)
      again.forceRefresh = true
      #expect(try await world.me(app.acquireTokenSilent(again)).status == 200)
    }
  }

  @Test("A garbled response is rejected, and the next attempt works")
  func garbled() async throws {
    try await withWorld { world in
      let app = try world.app()
      let browser = world.browser("adele@contoso.example")
      await world.emulator.prepareTokenReply(CannedReply(status: 200, body: "{\"access_token\":"))
      let error = await #expect(throws: AuthenticationError.self) {
        try await app.acquireToken(.init(scopes: ["User.Read"], session: browser))
      }
      #expect(error?.code == .invalidResponse)
      _ = try await app.acquireToken(.init(scopes: ["User.Read"], session: browser))
    }
  }
}
