import AuthCore
import CurlHTTP
import FoundationEssentials
import IdentityEmulator
import MicrosoftGraph
import TestSupport
import Testing

/// Each client has an app of its own, as in another process.
@Suite("The pauses that Graph asks for, in several processes")
struct GraphPauseTests {
  let files: TemporaryDirectory

  init() throws { files = try TemporaryDirectory() }

  private struct Scene {
    let world: World
    let account: Account
    let store: String

    func app() throws -> PublicClientApplication {
      try world.app(store: FileTokenCacheStore(path: store))
    }

    /// The client of a new process, whose waits advance the clock.
    func client(shares: Bool = true, _ policy: RetryPolicy = .never) throws -> GraphClient {
      let (app, clock) = (try self.app(), world.clock)
      var graph = GraphClient(
        app: app, account: account, scopes: ["User.Read"],
        cloud: GraphCloud(host: String(world.running.baseURL.dropFirst("https://".count))),
        runtime: Runtime(
          now: { clock.now }, sleep: { clock.advance(by: $0 / Duration.seconds(1)) },
          transport: CurlClient(.init(caFile: world.running.caFile))))
      graph.retry = policy
      if shares { graph.pauses = GraphPauses(app: app, account: account) }
      return graph
    }

    /// Has the next request to `path` be refused with a pause.
    func refuse(
      _ path: String, with status: Int = 429, for retryAfter: String? = "90"
    ) async throws {
      await world.emulator.prepareGraphReply(
        CannedReply(
          status: status, headers: retryAfter.map { ["Retry-After": $0] } ?? [:], body: "{}"),
        for: path)
      let error = await #expect(throws: GraphError.self) { try await client().get(GraphPath(path)) }
      #expect(error?.status == status)
      await world.emulator.forgetRequests()
    }

    /// The statuses of the requests to Graph.
    func statuses() async -> [Int] {
      await world.emulator.requests.filter { $0.path.hasPrefix("/v1.0/") }.map(\.status)
    }

    /// The error of a request in a new process; nil when it succeeds.
    func failure(_ path: GraphPath = "/me", shares: Bool = true) async throws -> GraphError? {
      let client = try self.client(shares: shares)
      do throws(GraphError) {
        _ = try await client.get(path)
        return nil
      } catch {
        return error
      }
    }
  }

  private func withScene(_ body: (Scene) async throws -> Void) async throws {
    try await World.with { world in
      let store = files.path + "/cache.json"
      let app = try world.app(store: FileTokenCacheStore(path: store))
      let result = try await app.acquireToken(
        .init(scopes: ["User.Read"], session: world.browser("adele@contoso.example")))
      defer {
        if let path = app.pausesOfAPIs?.path { try? FileManager.default.removeItem(atPath: path) }
      }
      try await body(Scene(world: world, account: result.account, store: store))
    }
  }

  @Test("What one process is told to wait, another one waits too", arguments: [429, 503])
  func shared(status: Int) async throws {
    try await withScene { scene in
      try await scene.refuse("/me", with: status)
      scene.world.clock.advance(by: 30)
      let error = try await scene.failure()
      #expect(error?.code == (status == 429 ? .throttled : .serverUnavailable))
      #expect(error?.status == status && error?.retryAfter == .seconds(60))
      #expect(await scene.statuses().isEmpty)
      scene.world.clock.advance(by: 60)
      #expect(try await scene.failure() == nil)
    }
  }

  @Test("A pause that is short enough is waited for, before the first request")
  func waited() async throws {
    try await withScene { scene in
      try await scene.refuse("/me")
      let start = scene.world.clock.now
      _ = try await scene.client(RetryPolicy(longestPause: .seconds(100))).get("/me")
      #expect(abs(scene.world.clock.now.timeIntervalSince(start) - 90) < 1)
      #expect(await scene.statuses() == [200])
    }
  }

  @Test("A client that did not ask for it neither waits nor keeps a pause")
  func notShared() async throws {
    try await withScene { scene in
      try await scene.refuse("/me")
      #expect(try await scene.failure(shares: false) == nil)
      scene.world.clock.advance(by: 90)
      await scene.world.emulator.prepareGraphReply(
        CannedReply(status: 429, headers: ["Retry-After": "90"], body: "{}"))
      #expect(try await scene.failure(shares: false)?.code == .throttled)
      #expect(try await scene.failure() == nil)
    }
  }

  @Test("A busy mailbox keeps nobody from the account's files, or from another mailbox")
  func parts() async throws {
    try await withScene { scene in
      try await scene.refuse("/me/messages", with: 503)
      let error = try await scene.failure("/me/mailFolders")
      #expect(error?.retryAfter != nil)
      #expect(await scene.statuses().isEmpty)
      for path: GraphPath in ["/me", "/me/drive", "/users", "/users/bram@contoso.example/messages"]
      {
        // Whether it succeeds does not matter.
        _ = try await scene.failure(path)
      }
      #expect(await scene.statuses().count == 4)
    }
  }

  private func status(_ result: Result<GraphResponse, GraphError>) -> Int? {
    switch result {
    case .success(let response): response.status
    case .failure(let error): error.status
    }
  }

  @Test("A request of a batch that is refused keeps the pause for its own mailbox")
  func batchKeeps() async throws {
    try await withScene { scene in
      await scene.world.emulator.prepareGraphReply(
        CannedReply(status: 429, headers: ["Retry-After": "90"], body: "{}"), for: "/me/messages")
      let results = try await scene.client().batch(["/me", "/me/messages"])
      #expect(results.map(status) == [200, 429])
      #expect(try await scene.failure("/me/mailFolders")?.retryAfter == .seconds(90))
      #expect(try await scene.failure("/me") == nil)
    }
  }

  @Test("A request of a batch is not sent before the end of its pause, nor what depends on it")
  func batchIsRefused() async throws {
    try await withScene { scene in
      try await scene.refuse("/me/messages")
      let requests: [GraphRequest] = ["/me/messages", "/me", "/me"]
      let results = try await scene.client().batch(requests, dependsOn: [2: [0]])
      #expect(results.map(status) == [429, 200, 424])
      guard case .failure(let error) = results[0] else { return }
      #expect(error.message.contains("was not sent") && error.retryAfter == .seconds(90))
      // When all are refused, there is no batch.
      await scene.world.emulator.forgetRequests()
      let others = try await scene.client().batch(["/me/mailFolders", "/me/events"])
      #expect(others.map(status) == [429, 429])
      #expect(await scene.statuses().isEmpty)
    }
  }

  @Test("A batch waits for a pause of its requests that is short enough")
  func batchWaits() async throws {
    try await withScene { scene in
      try await scene.refuse("/me")
      let start = scene.world.clock.now
      let client = try scene.client(RetryPolicy(longestPause: .seconds(100)))
      let results = try await client.batch(["/me", "/me/photo/$value"])
      #expect(results.map(status) == [200, 200])
      #expect(abs(scene.world.clock.now.timeIntervalSince(start) - 90) < 1)
    }
  }

  @Test("It is never longer than an hour, and a clock that is set back ends it")
  func limits() async throws {
    try await withScene { scene in
      try await scene.refuse("/me", for: "86400")
      #expect(try await scene.failure()?.retryAfter == .seconds(3600))
      scene.world.clock.advance(by: -60)
      #expect(try await scene.failure() == nil)
    }
  }

  @Test("An error without a pause is each process's own, and so are other statuses")
  func others() async throws {
    try await withScene { scene in
      try await scene.refuse("/me", with: 503, for: nil)
      #expect(try await scene.failure() == nil)
      try await scene.refuse("/me", with: 409)
      #expect(try await scene.failure() == nil)
    }
  }

  @Test("Content that makes no sense pauses nothing")
  func edited() async throws {
    try await withScene { scene in
      try await scene.refuse("/me")
      let path = try #require(try scene.app().pausesOfAPIs?.path)
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      #expect(mode.map { $0 & 0o077 } == 0)
      for text in ["", "[]", "{\"pauses\":[1,{}]}", String(repeating: "[", count: 1 << 20)] {
        try Data(text.utf8).write(to: URL(filePath: path))
        #expect(try await scene.failure() == nil)
      }
    }
  }

  @Test("A new sign-in does not end it: the API still has too many requests")
  func signedIn() async throws {
    try await withScene { scene in
      try await scene.refuse("/me")
      _ = try await scene.app().acquireToken(
        .init(scopes: ["User.Read"], session: scene.world.browser("adele@contoso.example")))
      await scene.world.emulator.forgetRequests()
      #expect(try await scene.failure()?.code == .throttled)
    }
  }
}
