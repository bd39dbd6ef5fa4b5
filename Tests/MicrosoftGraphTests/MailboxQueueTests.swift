import AuthCore
import CurlHTTP
import FoundationEssentials
import HTTPTypes
import Testing

@testable import MicrosoftGraph

@Suite("Requests to one mailbox at a time")
struct MailboxQueueTests {
  /// An API that answers when it is told to.
  private final class SlowAPI: HTTPTransport {
    struct State {
      var running: [(path: String, answer: CheckedContinuation<Void, Never>)] = []
      var largest = 0
      var waiting: [(count: Int, turn: CheckedContinuation<Void, Never>)] = []
    }
    let state = LockedValue(State())

    func execute(
      _ request: HTTPRequest, body: Data, limits: HTTPLimits
    ) async throws(HTTPError) -> HTTPReply {
      await withCheckedContinuation { answer in
        let ready = state.withLock { state in
          state.running.append((request.path ?? "", answer))
          state.largest = max(state.largest, state.running.count)
          let ready = state.waiting.filter { $0.count <= state.running.count }.map(\.turn)
          state.waiting.removeAll { $0.count <= state.running.count }
          return ready
        }
        for turn in ready { turn.resume() }
      }
      return HTTPReply(200)
    }

    /// Waits until so many requests are running.
    func running(_ count: Int) async {
      await withCheckedContinuation { turn in
        let isReady = state.withLock { state in
          if state.running.count >= count { return true }
          state.waiting.append((count, turn))
          return false
        }
        if isReady { turn.resume() }
      }
    }

    /// Answers the first request, and returns its path.
    func answer() -> String {
      let first = state.withLock { $0.running.removeFirst() }
      first.answer.resume()
      return first.path
    }
  }

  private func client(_ api: SlowAPI) -> GraphClient {
    GraphClient(tokens: Tokens(), runtime: .init(transport: api))
  }

  /// Clients of one person, each made for one request.
  enum Copies: CaseIterable { case plain, withToken, withObject }

  private final class ObjectTokens: GraphTokenSource {
    func authorization(
      for request: HTTPRequest, claims: ClaimsRequest?, forceRefresh: Bool
    ) async throws -> Secret<String> {
      Secret("Bearer object")
    }
  }

  @Test(
    "The fifth request waits until one of the others is answered", .timeLimit(.minutes(5)),
    arguments: Copies.allCases)
  func limit(copies: Copies) async throws {
    let api = SlowAPI()
    let graph = client(api)
    let tokens = ObjectTokens()
    try await withThrowingTaskGroup { group in
      for index in 0..<10 {
        var copy =
          switch copies {
          case .plain: graph
          case .withToken: graph.authorized(by: Secret("Bearer adele"))
          case .withObject: graph.authorized(by: tokens)
          }
        copy.version = index.isMultiple(of: 2) ? .v1 : .beta
        group.addTask { [copy] in _ = try await copy.get("/me/messages/\(index)") }
      }
      await api.running(4)
      // What is in no mailbox, or in another one, does not wait.
      group.addTask { _ = try await graph.get("/me/drive") }
      group.addTask { _ = try await graph.get("/users/adele/events") }
      await api.running(6)
      for _ in 0..<12 {
        await api.running(1)
        _ = api.answer()
      }
      try await group.waitForAll()
    }
    #expect(api.state.withLock(\.largest) == 6)
  }

  @Test(
    "The mailboxes of two people do not wait for each other, although both are 'me'",
    .timeLimit(.minutes(5)))
  func people() async throws {
    let api = SlowAPI()
    let graph = client(api)
    let clients = [
      graph.authorized(by: Secret("Bearer adele")), graph.authorized(by: Secret("Bearer bram")),
      graph.authorized(by: Tokens()),
    ]
    try await withThrowingTaskGroup { group in
      for client in clients {
        for index in 0..<4 {
          group.addTask { _ = try await client.get("/me/messages/\(index)") }
        }
      }
      await api.running(12)
      for _ in 0..<12 { _ = api.answer() }
      try await group.waitForAll()
    }
  }

  @Test("Who waits can be canceled, and the others go on", .timeLimit(.minutes(5)))
  func cancellation() async throws {
    let api = SlowAPI()
    let graph = client(api)
    let running = (0..<4).map { index in Task { try await graph.get("/me/events/\(index)") } }
    await api.running(4)
    let waiting = Task { try await graph.get("/me/events/late") }
    while graph.mailboxes.waitingCount == 0, !Task.isCancelled { await Task.yield() }
    waiting.cancel()
    // Nothing is answered before: its turn does not come.
    let error = await #expect(throws: GraphError.self) { try await waiting.value }
    #expect(error?.code == .cancelled)
    let next = Task { try await graph.get("/me/events/next") }
    for _ in 0..<5 {
      await api.running(1)
      #expect(!api.answer().hasSuffix("late"))
    }
    for task in running + [next] { _ = try await task.value }
  }
}
