import AuthCore
import CurlHTTP
import FoundationEssentials
import HTTPTypes
import IdentityEmulator
import MicrosoftGraph
import TestSupport
import Testing

@Suite("Bound tokens from the sign-in to the API, over TLS")
struct ProofOfPossessionTests {
  /// Signs Adele in for requests to `path`.
  private func signIn(
    _ world: World, path: String = "/v1.0/me", method: HTTPRequest.Method = .get
  ) async throws -> (PublicClientApplication, AuthenticationResult) {
    let app = try world.app()
    var parameters = InteractiveTokenParameters(
      scopes: ["User.Read"], session: world.browser("adele@contoso.example"))
    parameters.authenticationScheme = scheme(world, path, method)
    return (app, try await app.acquireToken(parameters))
  }

  private func scheme(
    _ world: World, _ path: String, _ method: HTTPRequest.Method = .get
  ) -> AuthenticationScheme {
    .proofOfPossession(httpMethod: method, url: world.running.baseURL + path)
  }

  /// Sends a request with `authorization`, and returns the status of the response.
  private func status(
    _ world: World, _ authorization: Secret<String>, path: String = "/v1.0/me"
  ) async throws -> Int {
    let graph = try GraphClient(
      api: world.running.baseURL + path, transport: CurlClient(.init(caFile: world.running.caFile)))
    do throws(GraphError) {
      return try await graph.authorized(by: authorization)
        .get(GraphPath(url: world.running.baseURL + path)).status
    } catch {
      return error.status ?? 0
    }
  }

  @Test("The API accepts a proof for its own URL")
  func signIn() async throws {
    try await World.with { world in
      let (app, result) = try await signIn(world)
      #expect(result.authorizationHeader.exposed.hasPrefix("PoP "))
      #expect(try await world.me(result).json()["displayName"]?.string == "Adele Vance")

      // The token names the key that it is bound to (RFC 7800), which made the signature.
      let payload = try #require(result.accessToken.exposed.split(separator: ".").dropFirst().first)
      let claims = try JSON(parsing: try #require(Base64URL.decode(payload)))
      let proof = try #require(ProvenRequest(authorization: result.authorizationHeader))
      #expect(claims["cnf"]?["kid"]?.string == proof.thumbprint)

      var parameters = SilentTokenParameters(scopes: ["User.Read"], account: result.account)
      parameters.authenticationScheme = scheme(world, "/v1.0/me")
      parameters.forceRefresh = true
      let renewed = try await app.acquireTokenSilent(parameters)
      #expect(renewed.accessToken != result.accessToken)
      #expect(try await world.me(renewed).status == 200)
    }
  }

  @Test("A proof is valid for one request: not again, not elsewhere, not for another method")
  func replay() async throws {
    try await World.with { world in
      let (app, result) = try await signIn(world)
      let used = result.authorizationHeader
      #expect(try await status(world, used) == 200)
      #expect(try await status(world, used) == 401)
      #expect(try await status(world, result.authorizationHeader, path: "/v1.0/me/messages") == 401)
      #expect(try await status(world, result.authorizationHeader, path: "/beta/me") == 401)

      func proof(_ scheme: AuthenticationScheme) async throws -> Secret<String> {
        var parameters = SilentTokenParameters(scopes: ["User.Read"], account: result.account)
        parameters.authenticationScheme = scheme
        let answer = try await app.acquireTokenSilent(parameters)
        #expect(answer.source == .cache)
        return answer.authorizationHeader
      }
      #expect(try await status(world, proof(scheme(world, "/v1.0/me", .post))) == 401)
      #expect(
        try await status(
          world,
          proof(.proofOfPossession(httpMethod: .get, url: "https://api.contoso.example/v1.0/me")))
          == 401)
      #expect(try await status(world, proof(scheme(world, "/v1.0/me"))) == 200)
    }
  }

  @Test("An old or changed proof is rejected")
  func forged() async throws {
    try await World.with { world in
      let (_, result) = try await signIn(world)
      let proof = result.authorizationHeader.exposed
      // All six bits of a signature's first character are significant, unlike those of its last.
      let first = proof.index(after: try #require(proof.lastIndex(of: ".")))
      let other = proof[first] == "A" ? "B" : "A"
      let changed = proof[..<first] + other + proof[proof.index(after: first)...]
      #expect(try await status(world, Secret(String(changed))) == 401)
      world.clock.advance(by: 400)
      #expect(try await status(world, result.authorizationHeader) == 401)
      world.clock.advance(by: -800)
      #expect(try await status(world, result.authorizationHeader) == 401)
      world.clock.advance(by: 400)
      #expect(try await status(world, result.authorizationHeader) == 200)
    }
  }

  @Test("Without its key the token is useless, and a bearer token is no proof")
  func stolen() async throws {
    try await World.with { world in
      let (_, result) = try await signIn(world)
      #expect(try await status(world, Secret("Bearer \(result.accessToken.exposed)")) == 401)
      let app = try world.app()
      let bearer = try await app.acquireToken(
        .init(scopes: ["User.Read"], session: world.browser("adele@contoso.example")))
      #expect(try await status(world, bearer.authorizationHeader) == 200)
      #expect(try await status(world, Secret("PoP \(bearer.accessToken.exposed)")) == 401)
    }
  }
}
