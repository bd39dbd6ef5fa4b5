import AuthCore
import CurlHTTP
import FoundationEssentials
import HTTPTypes
import MicrosoftGraph
import TestSupport
import Testing

@Suite("The examples of 'Getting tokens silently' and 'Using tokens'")
struct TokenExamples {
  let authority = ScriptedAuthority()

  func signedIn() async throws -> (PublicClientApplication, Account) {
    let app = try TestApplication.make(authority)
    let result = try await app.acquireToken(
      InteractiveTokenParameters(scopes: ["User.Read"], session: authority.pages))
    return (app, result.account)
  }

  @Test func silent() async throws {
    let (app, account) = try await signedIn()

    let result = try await app.acquireTokenSilent(
      SilentTokenParameters(scopes: ["User.Read"], account: account))

    #expect(result.source == .cache)
  }

  @Test func silentThenInteractive() async throws {
    let (app, account) = try await signedIn()
    let tokens = Tokens(app: app, session: authority.pages)
    var parameters = SilentTokenParameters(scopes: ["User.Read"], account: account)
    #expect(try await tokens.token(parameters).source == .cache)

    authority.next(.token, status: 400, "{\"error\": \"interaction_required\"}")
    parameters.scopes = ["Mail.Read"]
    let result = try await tokens.token(parameters)
    #expect(result.source == .server)
    #expect(authority.authorization["login_hint"] == "adele@contoso.example")

    authority.next(.token, status: 400, "{\"error\": \"interaction_required\"}")
    authority.willSignIn(.ben)
    parameters.scopes = ["Files.Read"]
    let error = await #expect(throws: AuthenticationError.self) {
      try await tokens.token(parameters)
    }
    #expect(error?.code == .accountMismatch)
  }

  @Test func anotherTenant() async throws {
    let (app, account) = try await signedIn()
    authority.willSignIn(Person.adele.asGuest(in: Person.fabrikam, objectID: Person.fabrikam))

    var parameters = SilentTokenParameters(scopes: ["User.Read"], account: account)
    parameters.authority = try Authority(
      "https://login.microsoftonline.com/1d3f0a6c-77b2-4c1e-9a55-2f6d8be1c0d4")
    let result = try await app.acquireTokenSilent(parameters)

    #expect(result.tenantID == Person.fabrikam)
  }

  @Test func forced() async throws {
    let (app, account) = try await signedIn()

    var parameters = SilentTokenParameters(scopes: ["User.Read"], account: account)
    parameters.forceRefresh = true
    let result = try await app.acquireTokenSilent(parameters)

    #expect(result.source == .server)
  }

  @Test func outage() async throws {
    var configuration = try PublicClientApplicationConfiguration(
      clientID: "11111111-2222-3333-4444-555555555555",
      redirectURI: RedirectURI("msauth.com.example.app://auth"))
    configuration.extendedLifetimeEnabled = true

    authority.edit(.tokens) { $0["ext_expires_in"] = .number("262800") }
    let clock = ManualClock()
    let app = PublicClientApplication(
      configuration: configuration,
      runtime: Runtime(now: { clock.now }, sleep: { _ in }, transport: authority))
    let account = try await app.acquireToken(
      InteractiveTokenParameters(scopes: ["User.Read"], session: authority.pages)
    ).account
    clock.advance(by: 2 * 3600)
    authority.next(.token, times: 2, status: 503, "{}")
    let result = try await app.acquireTokenSilent(
      SilentTokenParameters(scopes: ["User.Read"], account: account))
    #expect(result.isExtendedLifetimeToken)
  }

  /// Compiled only: it needs the real Graph.
  func graph(_ result: AuthenticationResult) async throws {
    let url = "https://graph.microsoft.com/v1.0/me"
    let graph = try GraphClient(api: url).authorized(by: result.authorizationHeader)
    let me = try await graph.get(GraphPath(url)).json()
    print(me["displayName"]?.string ?? "")
  }

  @Test func anotherAPI() async throws {
    let (app, account) = try await signedIn()
    let transport = authority

    let result = try await app.acquireTokenSilent(
      SilentTokenParameters(scopes: ["api://contoso-orders/Orders.Read"], account: account))
    var request = HTTPRequest(url: "https://orders.contoso.com/recent")
    request.headerFields[.authorization] = result.authorizationHeader.exposed
    let reply = try await transport.execute(request)

    #expect(reply.response.status == .ok)
    let token = result.accessToken.exposed
    #expect(
      authority.calls.last?.request.headerFields[.authorization] == "Bearer \(token)")
  }

  @Test func proofOfPossession() async throws {
    let (app, account) = try await signedIn()

    var parameters = SilentTokenParameters(
      scopes: ["api://contoso-orders/Orders.Read"], account: account)
    parameters.authenticationScheme = .proofOfPossession(
      httpMethod: .get, url: "https://orders.contoso.com/recent")
    let result = try await app.acquireTokenSilent(parameters)

    var request = HTTPRequest(url: "https://orders.contoso.com/recent")
    request.headerFields[.authorization] = result.authorizationHeader.exposed  // PoP …

    #expect(request.headerFields[.authorization]?.hasPrefix("PoP ") == true)
    #expect(authority.lastForm["token_type"] == "pop")
  }

  @Test func secrets() async throws {
    let (app, account) = try await signedIn()
    let result = try await app.acquireTokenSilent(
      SilentTokenParameters(scopes: ["User.Read"], account: account))

    print(result.accessToken)  // ‹redacted›
    dump(result)  // ‹redacted› as well

    #expect("\(result.accessToken)" == "‹redacted›")
    var dumped = ""
    dump(result, to: &dumped)
    #expect(!dumped.contains(result.accessToken.exposed))
  }
}

/// Gets tokens, with a question only where there has to be one.
struct Tokens {
  let app: PublicClientApplication
  let session: any WebAuthenticationSession

  func token(
    _ silent: SilentTokenParameters
  ) async throws(AuthenticationError) -> AuthenticationResult {
    do {
      return try await app.acquireTokenSilent(silent)
    } catch {
      guard error.code == .interactionRequired else { throw error }
      var parameters = InteractiveTokenParameters(scopes: silent.scopes, session: session)
      parameters.account = silent.account
      parameters.prompt = .promptIfNecessary
      parameters.claims = error.claims ?? silent.claims
      let result = try await app.acquireToken(parameters)
      guard result.account == silent.account else {
        throw AuthenticationError(
          .accountMismatch, "Sign in with \(silent.account.username), or choose the other account.")
      }
      return result
    }
  }
}
