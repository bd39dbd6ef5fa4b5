import AuthCore
import FoundationEssentials
import HTTPTypes
import IdentityEmulator
import MicrosoftGraph
import TestSupport
import Testing

@Suite("Calling Graph for an account, over TLS")
struct GraphTests {
  struct User: Decodable, Sendable {
    var displayName: String
    var mail: String?
  }

  /// A claims challenge as Graph sends it, without the padding of base64.
  static let challenge = CannedReply(
    status: 401,
    headers: [
      "WWW-Authenticate":
        "Bearer realm=\"\", authorization_uri=\"https://login.example/\", error=\"insufficient_claims\""
        + ", claims=\"eyJhY2Nlc3NfdG9rZW4iOnsiYWNycyI6eyJlc3NlbnRpYWwiOnRydWUsInZhbHVlIjoiYzEifX19\""
    ])

  @Test("A path is enough; the token is acquired and renewed by the client")
  func renewal() async throws {
    try await World.with { world in
      let (graph, _) = try await world.graph()
      #expect(try await graph.get("/me", as: User.self).displayName == "Adele Vance")
      await world.emulator.expireAccessTokens()
      await world.emulator.forgetRequests()
      #expect(try await graph.get("/me", as: User.self).displayName == "Adele Vance")
      let counts = await world.emulator.requestCounts
      #expect(counts["GET /v1.0/me"] == 2)
      #expect(counts["POST /{tenant}/oauth2/v2.0/token"] == 1)
    }
  }

  @Test("A claims challenge is passed on to the sign-in service, once")
  func claims() async throws {
    try await World.with { world in
      let (graph, _) = try await world.graph()
      await world.emulator.prepareGraphReply(Self.challenge)
      await world.emulator.forgetRequests()
      _ = try await graph.get("/me")
      let requests = await world.emulator.requests
      let token = try #require(requests.first { $0.path.hasSuffix("/token") })
      #expect(token.body.contains("claims=%7B%22access_token%22%3A%7B%22acrs%22"))

      await world.emulator.prepareGraphReply(Self.challenge)
      await world.emulator.prepareGraphReply(Self.challenge)
      await world.emulator.forgetRequests()
      let error = await #expect(throws: GraphError.self) { try await graph.get("/me") }
      #expect(error?.code == .interactionRequired)
      #expect(error?.claims?[.accessToken, "acrs"]?.value == .string("c1"))
      #expect(await world.emulator.requestCounts["GET /v1.0/me"] == 2)
    }
  }

  @Test("A session that has ended needs the user")
  func ended() async throws {
    try await World.with { world in
      let (graph, account) = try await world.graph()
      await world.emulator.expireAccessTokens()
      try await world.emulator.revokeRefreshTokens(of: account.username)
      let error = await #expect(throws: GraphError.self) { try await graph.get("/me") }
      #expect(error?.code == .interactionRequired)
      #expect((error?.cause as? AuthenticationError)?.code == .interactionRequired)
    }
  }

  @Test("A throttled request is sent again after the pause that Graph asks for")
  func throttled() async throws {
    try await World.with { world in
      let (graph, _) = try await world.graph()
      await world.emulator.prepareGraphReply(
        CannedReply(status: 429, headers: ["Retry-After": "20"]))
      let before = world.clock.now
      _ = try await graph.get("/me")
      #expect(world.clock.now.timeIntervalSince(before) == 20)
    }
  }
}
