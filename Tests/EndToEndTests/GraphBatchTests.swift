import AuthCore
import FoundationEssentials
import IdentityEmulator
import MicrosoftGraph
import TestSupport
import Testing

@Suite("Batches of Graph, over TLS")
struct GraphBatchTests {
  private func status(_ result: Result<GraphResponse, GraphError>) -> Int? {
    switch result {
    case .success(let response): response.status
    case .failure(let error): error.status
    }
  }

  @Test("The results are in the order of the requests, each with its own status")
  func order() async throws {
    try await World.with { world in
      let (graph, _) = try await world.graph()
      let results = try await graph.batch(["/me", "/me/photo/$value", "/users", "/nowhere"])
      #expect(results.map(status) == [200, 200, 403, 501])
      #expect(try results[0].get().json()["displayName"]?.string == "Adele Vance")
      // What is not JSON arrives as it was.
      let photo = try await graph.get("/me/photo/$value").body
      #expect(try results[1].get().body == photo)
      guard case .failure(let error) = results[2] else { return }
      #expect(error.code == .forbidden && error.serverCode == "Authorization_RequestDenied")
    }
  }

  @Test("More than 20 requests are sent as several batches")
  func split() async throws {
    try await World.with { world in
      let (graph, _) = try await world.graph()
      await world.emulator.forgetRequests()
      let results = try await graph.batch(Array(repeating: "/me", count: 45))
      #expect(results.count == 45 && results.allSatisfy { status($0) == 200 })
      #expect(await world.emulator.requestCounts["POST /v1.0/$batch"] == 3)
    }
  }

  @Test("Only what was throttled is sent again, after its own pause")
  func throttled() async throws {
    try await World.with { world in
      let (graph, _) = try await world.graph()
      await world.emulator.forgetRequests()
      for _ in 1...2 {
        await world.emulator.prepareGraphReply(
          CannedReply(status: 429, headers: ["Retry-After": "9"]))
      }
      let before = world.clock.now
      let results = try await graph.batch(["/me", "/me", "/me"], dependsOn: [2: [0]])
      #expect(results.map(status) == [200, 200, 200])
      #expect(world.clock.now.timeIntervalSince(before) == 9)
      #expect(await world.emulator.requestCounts["POST /v1.0/$batch"] == 2)
    }
  }

  @Test("What depends on a refused request is not done, in the same batch or a later one")
  func dependencies() async throws {
    try await World.with { world in
      let (graph, _) = try await world.graph()
      var requests = Array(repeating: GraphRequest("/me"), count: 22)
      requests[0] = "/users"
      let results = try await graph.batch(requests, dependsOn: [1: [0], 21: [0], 20: [2]])
      #expect(status(results[0]) == 403)
      #expect(status(results[1]) == 424 && status(results[21]) == 424)
      #expect(status(results[2]) == 200 && status(results[20]) == 200)
    }
  }

  @Test("A request of another version, a batch in a batch and a wrong order are not sent")
  func invalid() async throws {
    try await World.with { world in
      let (graph, _) = try await world.graph()
      await world.emulator.forgetRequests()
      for requests: [GraphRequest] in [["/beta/me"], ["/$batch"], ["https://evil.example/v1.0/me"]]
      {
        await #expect(throws: GraphError.self) { try await graph.batch(requests) }
      }
      await #expect(throws: GraphError.self) {
        try await graph.batch(["/me", "/me"], dependsOn: [0: [1]])
      }
      #expect(await world.emulator.requests.isEmpty)
    }
  }
}
