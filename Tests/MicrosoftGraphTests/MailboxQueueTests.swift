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

  /// A clock whose pauses end when it is told to.
  private final class HeldClock: Sendable {
    private let sleepers = LockedValue<[CheckedContinuation<Void, Never>]>([])

    func sleep() async {
      await withCheckedContinuation { sleeper in sleepers.withLock { $0.append(sleeper) } }
    }

    var count: Int { sleepers.withLock { $0.count } }

    func wake() {
      let all = sleepers.withLock { sleepers in
        defer { sleepers = [] }
        return sleepers
      }
      for sleeper in all { sleeper.resume() }
    }
  }

  @Test(
    "A request that was told to wait holds no place meanwhile, and holds up no others",
    .timeLimit(.minutes(5)), arguments: [429, 503])
  func pause(status: Int) async throws {
    let clock = HeldClock()
    let refusals = [HTTPReply](
      repeating: HTTPReply(status, "{}", [.retryAfter: "60"]), count: MailboxQueue.limit)
    let api = API(refusals + [HTTPReply(200)])
    let graph = GraphClient(
      tokens: Tokens(), runtime: Runtime(sleep: { _ in await clock.sleep() }, transport: api))
    let paused = (0..<MailboxQueue.limit).map { index in
      Task { try await graph.get("/me/messages/\(index)") }
    }
    while clock.count < MailboxQueue.limit, !Task.isCancelled { await Task.yield() }
    // The clock stands still: neither the mailbox nor another service waits for it.
    for path: GraphPath in ["/me/messages/next", "/me/drive", "/users/adele/events"] {
      _ = try await graph.get(path)
    }
    #expect(clock.count == MailboxQueue.limit && graph.mailboxes.waitingCount == 0)
    clock.wake()
    for task in paused { #expect(try await task.value.status == 200) }
    #expect(api.requests.count == 2 * MailboxQueue.limit + 3)
  }

  @Test(
    "Turns come in order, whoever leaves the queue, and never to more than four",
    .timeLimit(.minutes(5)))
  func order() async throws {
    let api = SlowAPI()
    let graph = client(api)
    var tasks: [Task<GraphResponse, any Error>] = []
    for index in 0..<12 {
      tasks.append(Task { try await graph.get("/me/messages/\(index)") })
      if index < MailboxQueue.limit {
        await api.running(index + 1)
      } else {
        while graph.mailboxes.waitingCount <= index - MailboxQueue.limit, !Task.isCancelled {
          await Task.yield()
        }
      }
    }
    // The first that waits, one in the middle, and the last.
    let canceled = [4, 7, 11]
    for task in canceled.map({ tasks[$0] }) {
      task.cancel()
      await #expect(throws: GraphError.self) { try await task.value }
    }
    #expect(graph.mailboxes.waitingCount == 5)
    let expected = (0..<12).filter { !canceled.contains($0) }.map { "/v1.0/me/messages/\($0)" }
    for (number, path) in expected.enumerated() {
      await api.running(min(MailboxQueue.limit, expected.count - number))
      #expect(api.answer() == path)
    }
    for index in tasks.indices where !canceled.contains(index) { _ = try await tasks[index].value }
    #expect(api.state.withLock(\.largest) == MailboxQueue.limit)
  }
}
