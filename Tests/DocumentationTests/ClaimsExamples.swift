import AuthCore
import CurlHTTP
import HTTPTypes
import MicrosoftGraph
import TestSupport
import Testing

@Suite("The examples of 'Answering claims challenges'")
struct ClaimsExamples {
  let authority = ScriptedAuthority()
  // {"access_token":{"acrs":{"essential":true,"value":"c1"}}}
  static let challenge =
    "Bearer realm=\"\", error=\"insufficient_claims\", claims=\"eyJhY2Nlc3NfdG9rZW4iOnsiYWNycyI6ey"
    + "Jlc3NlbnRpYWwiOnRydWUsInZhbHVlIjoiYzEifX19\""

  func signedIn(_ app: PublicClientApplication) async throws -> Account {
    try await app.acquireToken(
      InteractiveTokenParameters(scopes: ["User.Read"], session: authority.pages)
    ).account
  }

  @Test func capabilities() async throws {
    let configuration = try PublicClientApplicationConfiguration(
      clientID: "11111111-2222-3333-4444-555555555555",
      redirectURI: RedirectURI("msauth.com.example.app://auth"),
      clientCapabilities: ["CP1"])

    let app = PublicClientApplication(
      configuration: configuration, runtime: Runtime(transport: authority))
    _ = try await signedIn(app)
    #expect(
      authority.authorization["claims"] == "{\"access_token\":{\"xms_cc\":{\"values\":[\"CP1\"]}}}")
  }

  @Test func graph() async throws {
    let app = try TestApplication.make(authority)
    let account = try await signedIn(app)
    let tokens = Tokens(app: app, session: authority.pages)
    let graph = try GraphClient(
      api: "https://graph.microsoft.com/v1.0/me", transport: authority)
    authority.next(.api) { _ in
      HTTPReply(
        response: HTTPResponse(
          status: .unauthorized, headerFields: [.wwwAuthenticate: Self.challenge]))
    }

    func me(claims: ClaimsRequest? = nil) async throws -> GraphResponse {
      var parameters = SilentTokenParameters(scopes: ["User.Read"], account: account)
      parameters.claims = claims
      let token = try await tokens.token(parameters)
      do {
        return try await graph.authorized(by: token.authorizationHeader)
          .get("https://graph.microsoft.com/v1.0/me")
      } catch {
        // Only once: an API that sends the same challenge again cannot be satisfied.
        guard claims == nil, let claims = error.claims else { throw error }
        return try await me(claims: claims)
      }
    }

    #expect(try await me().status == 200)
    #expect(
      authority.lastForm["claims"]
        == "{\"access_token\":{\"acrs\":{\"essential\":true,\"value\":\"c1\"}}}")
  }

  @Test func anotherAPI() async throws {
    let account = try await signedIn(TestApplication.make(authority))
    let reply = HTTPReply(
      response: HTTPResponse(
        status: .unauthorized, headerFields: [.wwwAuthenticate: Self.challenge]))
    var parameters = SilentTokenParameters(scopes: ["User.Read"], account: account)

    if let claims = AuthenticationChallenge.claims(in: reply.response) {
      parameters.claims = claims
    }

    #expect(parameters.claims?[.accessToken, "acrs"]?.value == .string("c1"))
  }

  @Test func twoTargets() {
    var claims = ClaimsRequest()
    claims[.idToken, "nickname"] = ClaimsRequest.Claim()
    claims[.accessToken, "acrs"] = ClaimsRequest.Claim(isEssential: true, value: .string("c1"))

    #expect(
      claims.json
        == "{\"access_token\":{\"acrs\":{\"essential\":true,\"value\":\"c1\"}},"
        + "\"id_token\":{\"nickname\":null}}")
  }

  @Test func ofOnesOwn() async throws {
    let app = try TestApplication.make(authority)
    let session = authority.pages

    var claims = ClaimsRequest()
    claims[.idToken, "auth_time"] = ClaimsRequest.Claim(isEssential: true)
    claims[.accessToken, "acrs"] = ClaimsRequest.Claim(isEssential: true, value: .string("c1"))

    var parameters = InteractiveTokenParameters(scopes: ["User.Read"], session: session)
    parameters.claims = claims
    let result = try await app.acquireToken(parameters)

    #expect(result.account.username == "adele@contoso.example")
    #expect(
      authority.authorization["claims"]
        == "{\"access_token\":{\"acrs\":{\"essential\":true,\"value\":\"c1\"}},"
        + "\"id_token\":{\"auth_time\":{\"essential\":true}}}")
  }
}
