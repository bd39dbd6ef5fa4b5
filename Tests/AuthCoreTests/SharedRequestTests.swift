import AuthCore
import CurlHTTP
import FoundationEssentials
import TestSupport
import Testing

@Suite("Concurrent silent requests for the same token", .timeLimit(.minutes(5)))
struct SharedRequestTests {
  let authority = ScriptedAuthority()
  let clock = ManualClock()
  let store = ScriptedStore()
  let app: PublicClientApplication

  init() throws {
    app = try TestApplication.make(authority, clock: clock, store: store)
  }

  /// An event that happens once; callers can wait for it, even if canceled.
  struct Event: Sendable {
    let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }
    func happen() { continuation.yield() }
    func wait() async {
      await Task { [stream] in for await _ in stream { break } }.value
    }
  }

  /// Signs in, and lets the token expire.
  func signIn() async throws -> Account {
    let account = try await app.acquireToken(
      .init(scopes: ["User.Read"], session: authority.pages)
    ).account
    clock.advance(by: 3600)
    return account
  }

  /// Delays the next response of the token endpoint until `answer` happens, even if callers are
  /// canceled.
  ///
  /// - Returns: an event that happens when the request has arrived.
  func hold(until answer: Event) -> Event {
    let begun = Event()
    authority.next(.token) { [authority] call in
      begun.happen()
      await answer.wait()
      return authority.usualReply(to: call)
    }
    return begun
  }

  // MARK: - One request for all calls

  @Test("A hundred calls send one request, and get one token")
  func one() async throws {
    let account = try await signIn()
    let tokens = try await withThrowingTaskGroup(of: String.self) { group in
      for index in 0..<100 {
        // Order and case of the scopes do not matter.
        let scopes = index.isMultiple(of: 2) ? ["User.Read"] : ["user.read"]
        group.addTask { try await app.silently(account, scopes: scopes).accessToken.exposed }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(tokens == Array(repeating: "access-canary-2", count: 100))
    #expect(authority.count(.token) == 2)
  }

  @Test("A hundred calls that fail send one request")
  func refusals() async throws {
    let account = try await signIn()
    authority.next(.token, status: 400, "{\"error\":\"invalid_grant\",\"error_codes\":[50076]}")
    let codes = await withTaskGroup(of: [Int]?.self) { group in
      for _ in 0..<100 {
        group.addTask {
          do throws(AuthenticationError) {
            _ = try await app.silently(account)
            return nil
          } catch {
            return error.serverErrorCodes
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(codes == Array(repeating: [50076], count: 100))
    #expect(authority.count(.token) == 2)
  }

  @Test("Other tenants, scopes or claims, and forced renewals send their own requests, in turn")
  func others() async throws {
    let account = try await signIn()
    let answer = Event()
    let begun = hold(until: answer)
    let first = Task { try await app.silently(account) }
    await begun.wait()

    let claims = try ClaimsRequest(json: "{\"id_token\":{\"nickname\":null}}")
    let others = [
      Task { try await app.silently(account, scopes: ["Mail.Read"]) },
      Task { try await app.silently(account) { $0.claims = claims } },
      Task { try await app.silently(account, force: true) },
    ]
    answer.happen()
    for request in [first] + others { #expect(try await request.value.source == .server) }
    let fabrikam = try Authority("https://login.microsoftonline.com/\(Person.fabrikam)")
    authority.willSignIn(.adele.asGuest(in: Person.fabrikam, objectID: "guest-id"))
    #expect(try await app.silently(account) { $0.authority = fabrikam }.tenantID == Person.fabrikam)
    let sent = authority.calls.compactMap { $0.form["refresh_token"] }
    #expect(sent == (1...5).map { "refresh-canary-\($0)" }, "each refresh token is used once")
  }

  // MARK: - One call is canceled

  @Test("Canceling one call ends it immediately, and does not affect the others")
  func oneLeaves() async throws {
    let account = try await signIn()
    let answer = Event()
    let begun = hold(until: answer)
    let requests = (0..<100).map { _ in Task { try await app.silently(account) } }
    await begun.wait()
    requests[50].cancel()
    let error = await #expect(throws: AuthenticationError.self) { try await requests[50].value }
    #expect(error?.code == .userCanceled)
    #expect(error?.correlationID?.isEmpty == false)

    answer.happen()
    for (index, request) in requests.enumerated() where index != 50 {
      #expect(try await request.value.accessToken.exposed == "access-canary-2")
    }
    #expect(authority.count(.token) == 2)
  }

  // MARK: - All calls are canceled

  @Test("When all calls are canceled, the request is canceled")
  func allLeave() async throws {
    let account = try await signIn()
    let begun = Event()
    let ended = Event()
    authority.next(.token) { [authority] _ throws(HTTPError) in
      begun.happen()
      // Ends when the task is canceled, like a real transport.
      for await _ in AsyncStream<Void>.makeStream().stream { break }
      ended.happen()
      throw HTTPError(.cancelled, host: authority.host, message: "Cancelled.")
    }
    let requests = (0..<10).map { _ in Task { try await app.silently(account) } }
    await begun.wait()
    for request in requests { request.cancel() }
    await ended.wait()
    for request in requests {
      let error = await #expect(throws: AuthenticationError.self) { try await request.value }
      #expect(error?.code == .userCanceled)
    }
    #expect(await app.accounts() == [account])
  }

  @Test("A response that arrives anyway is stored")
  func lateAnswer() async throws {
    let account = try await signIn()
    let answer = Event()
    let begun = hold(until: answer)
    let request = Task { try await app.silently(account) }
    await begun.wait()
    request.cancel()
    await #expect(throws: AuthenticationError.self) { try await request.value }

    let before = store.records
    answer.happen()
    while store.records == before {
      try Task.checkCancellation()
      await Task.yield()
    }
    #expect(try await app.silently(account).source == .cache)
    let next = try TestApplication.make(authority, clock: clock, store: store)
    _ = try await next.silently(account, force: true)
    #expect(authority.lastForm["refresh_token"] == "refresh-canary-2")
  }

  @Test("The next call waits for it, and does not send the old refresh token again")
  func afterLateAnswer() async throws {
    let account = try await signIn()
    let answer = Event()
    let begun = hold(until: answer)
    let first = Task { try await app.silently(account, force: true) }
    await begun.wait()
    first.cancel()
    await #expect(throws: AuthenticationError.self) { try await first.value }

    let second = Task { try await app.silently(account, force: true) }
    answer.happen()
    #expect(try await second.value.source == .server)
    #expect(authority.lastForm["refresh_token"] == "refresh-canary-2")
    #expect(authority.count(.token) == 3)
  }
}
