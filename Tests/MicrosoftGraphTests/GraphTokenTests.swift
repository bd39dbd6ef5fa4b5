import AuthCore
import CurlHTTP
import FoundationEssentials
import HTTPTypes
import MicrosoftGraph
import Testing

@Suite("The tokens of requests to Microsoft Graph")
struct GraphTokenTests {
  // {"access_token":{"acrs":{"essential":true,"value":"c1"}}}
  static let challenge = HTTPReply(
    401, "{}",
    [
      .wwwAuthenticate: "Bearer realm=\"\", error=\"insufficient_claims\", claims=\"eyJhY2Nlc3NfdG9"
        + "rZW4iOnsiYWNycyI6eyJlc3NlbnRpYWwiOnRydWUsInZhbHVlIjoiYzEifX19\""
    ])

  @Test("A token that Graph rejects is renewed once")
  func renewal() async throws {
    let (api, tokens) = (API([HTTPReply(401), HTTPReply(200)]), Tokens())
    _ = try await GraphClient.of(api, tokens: tokens).get("/me")
    #expect(tokens.calls.map(\.forceRefresh) == [false, true])
    #expect(
      api.requests.map { $0.headerFields[.authorization] } == ["Bearer token-1", "Bearer token-2"])
  }

  @Test("A token that is rejected again is an error, not a loop")
  func renewedInVain() async throws {
    let (api, tokens) = (API([HTTPReply(401)]), Tokens())
    let error = await #expect(throws: GraphError.self) {
      try await GraphClient.of(api, tokens: tokens).get("/me")
    }
    #expect(error?.code == .unauthorized)
    #expect(tokens.calls.count == 2 && api.requests.count == 2)
  }

  @Test("A token that was renewed is used when the request is sent again")
  func retryAfterRenewal() async throws {
    let busy = HTTPReply(503)
    let rejected = Tokens()
    _ = try await GraphClient.of(API([HTTPReply(401), busy, HTTPReply(200)]), tokens: rejected)
      .get("/me")
    #expect(rejected.calls.map(\.forceRefresh) == [false, true, false])
    let challenged = Tokens()
    _ = try await GraphClient.of(API([Self.challenge, busy, HTTPReply(200)]), tokens: challenged)
      .get("/me")
    #expect(challenged.calls.map { $0.claims != nil } == [false, true, false])
    // Once for each request, however often it is sent.
    let again = Tokens()
    let error = await #expect(throws: GraphError.self) {
      try await GraphClient.of(API([HTTPReply(401), busy, HTTPReply(401)]), tokens: again)
        .get("/me")
    }
    #expect(error?.code == .unauthorized && again.calls.count == 3)
  }

  @Test("A claims challenge is answered once, with the claims")
  func claims() async throws {
    let (api, tokens) = (API([Self.challenge, HTTPReply(200)]), Tokens())
    _ = try await GraphClient.of(api, tokens: tokens).get("/me")
    #expect(
      tokens.calls.map { $0.claims?.json }
        == [nil, "{\"access_token\":{\"acrs\":{\"essential\":true,\"value\":\"c1\"}}}"])
  }

  @Test("A token with claims that Graph rejects is renewed with the same claims")
  func renewalWithClaims() async throws {
    let (api, tokens) = (API([Self.challenge, HTTPReply(401), HTTPReply(200)]), Tokens())
    _ = try await GraphClient.of(api, tokens: tokens).get("/me")
    let claims = "{\"access_token\":{\"acrs\":{\"essential\":true,\"value\":\"c1\"}}}"
    #expect(tokens.calls.map { $0.claims?.json } == [nil, claims, claims])
    #expect(tokens.calls.map(\.forceRefresh) == [false, false, true])
  }

  @Test("A claims challenge that is repeated needs the user, and the error has the claims")
  func repeatedChallenge() async throws {
    let (api, tokens) = (API([Self.challenge]), Tokens())
    let error = await #expect(throws: GraphError.self) {
      try await GraphClient.of(api, tokens: tokens).get("/me")
    }
    #expect(error?.code == .interactionRequired)
    #expect(error?.claims?[.accessToken, "acrs"]?.value == .string("c1"))
    #expect(api.requests.count == 2)
  }

  @Test("A token source that needs the user says so, with the claims")
  func interaction() async throws {
    struct Source: GraphTokenSource {
      func authorization(
        for request: HTTPRequest, claims: ClaimsRequest?, forceRefresh: Bool
      ) async throws -> Secret<String> {
        guard claims == nil else {
          throw AuthenticationError(.interactionRequired, "Sign in again.")
        }
        return Secret("Bearer token")
      }
    }
    let error = await #expect(throws: GraphError.self) {
      try await GraphClient.of(API([Self.challenge]), tokens: Source()).get("/me")
    }
    #expect(error?.code == .interactionRequired)
    #expect(error?.claims?[.accessToken, "acrs"] != nil)
    #expect(error?.cause is AuthenticationError)
  }

  @Test("A caller's own token is not renewed")
  func ownToken() async throws {
    let api = API([Self.challenge])
    let error = await #expect(throws: GraphError.self) {
      try await GraphClient.of(api).authorized(by: Secret("Bearer own")).get("/me")
    }
    #expect(error?.code == .unauthorized)
    #expect(error?.claims != nil)
    #expect(api.requests.count == 1)
  }

  @Test(
    "Each cloud has its own Graph",
    arguments: [
      // https://learn.microsoft.com/graph/deployments
      (GraphCloud.global, "graph.microsoft.com"), (.usGovernment, "graph.microsoft.us"),
      (.usGovernmentDoD, "dod-graph.microsoft.us"), (.china, "microsoftgraph.chinacloudapi.cn"),
    ])
  func clouds(cloud: GraphCloud, host: String) async throws {
    let api = API([HTTPReply(200)])
    let graph = GraphClient(cloud: cloud, tokens: Tokens(), runtime: Runtime(transport: api))
    _ = try await graph.get("/me")
    #expect(api.requests.first?.authority == host)
    await #expect(throws: GraphError.self) {
      try await graph.get("https://graph.example/v1.0/me")
    }
  }

  @Test(
    "Scopes of OpenID Connect are of no cloud, however they are written",
    arguments: ["openid", "OpenID", "Offline_Access", "email"])
  func scopesOfOpenID(scope: String) {
    #expect(GraphCloud.china.scope(scope) == scope)
  }
}
