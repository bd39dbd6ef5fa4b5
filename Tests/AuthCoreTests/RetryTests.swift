import AuthCore
import CurlHTTP
import FoundationEssentials
import HTTPTypes
import TestSupport
import Testing

@Suite("Retries of failed requests")
struct RetryTests {
  let authority = ScriptedAuthority()
  let clock = ManualClock()
  let pauses = Pauses()
  let app: PublicClientApplication

  init() throws {
    app = try TestApplication.make(authority, clock: clock, sleep: pauses.add)
  }

  /// Records the pauses.
  final class Pauses: Sendable {
    private let list = LockedValue<[Duration]>([])
    var all: [Duration] { list.withLock { $0 } }
    @Sendable func add(_ pause: Duration) { list.withLock { $0.append(pause) } }
  }

  func signIn(_ app: PublicClientApplication? = nil) async throws -> Account {
    try await (app ?? self.app).acquireToken(
      InteractiveTokenParameters(scopes: ["User.Read"], session: authority.pages)
    ).account
  }

  func refresh(
    _ account: Account, with app: PublicClientApplication? = nil
  ) async throws -> AuthenticationResult {
    var parameters = SilentTokenParameters(scopes: ["User.Read"], account: account)
    parameters.forceRefresh = true
    return try await (app ?? self.app).acquireTokenSilent(parameters)
  }

  func fail(_ endpoint: ScriptedAuthority.Endpoint, _ code: HTTPError.Code) {
    authority.next(endpoint) { [authority] _ throws(HTTPError) in
      throw HTTPError(code, host: authority.host, message: "It did not work.")
    }
  }

  // MARK: - Which requests are retried

  @Test("There is one retry, not two")
  func once() async throws {
    let account = try await signIn()
    authority.next(.token, times: 2, status: 503, "")
    let error = await #expect(throws: AuthenticationError.self) { try await refresh(account) }
    #expect(error?.code == .serverUnavailable)
    #expect(authority.count(.token) == 3)
    #expect(pauses.all.count == 1)
  }

  @Test("If the server requests a pause, there is no retry before it")
  func retryAfter() async throws {
    let account = try await signIn()
    authority.next(.token) { _ in
      var reply = HTTPReply.make(503, "")
      reply.response.headerFields[.retryAfter] = "7"
      return reply
    }
    let error = await #expect(throws: AuthenticationError.self) { try await refresh(account) }
    #expect(error?.retryAfter == .seconds(7))
    #expect(pauses.all.isEmpty)
  }

  @Test("Fetching the OpenID configuration is retried")
  func discovery() async throws {
    authority.next(.configuration, status: 500, "")
    _ = try await signIn()
    #expect(authority.count(.configuration) == 2)
  }

  @Test(
    "A code is sent again only if nothing was sent, or after a server error",
    arguments: [
      (.cannotFindHost, 2), (.cannotConnect, 2), (.timedOut, 1), (.connectionLost, 1), (nil, 2),
    ] as [(HTTPError.Code?, Int)])
  func code(code: HTTPError.Code?, times: Int) async throws {
    if let code { fail(.token, code) } else { authority.next(.token, status: 500, "") }
    if times == 2 {
      _ = try await signIn()
    } else {
      let error = await #expect(throws: AuthenticationError.self) { try await signIn() }
      #expect(error?.code == .networkUnavailable)
    }
    #expect(authority.count(.token) == times)
  }

  // MARK: - When they are retried

  @Test(
    "The pause is a second, varied by a fifth",
    arguments: [(0x00, 800), (0xff, 1200)] as [(UInt8, Int)])
  func pause(random: UInt8, milliseconds: Int) async throws {
    let app = PublicClientApplication(
      configuration: try TestApplication.configuration(),
      runtime: Runtime(
        now: { [clock] in clock.now },
        randomBytes: { Array(repeating: random, count: $0) }, sleep: pauses.add,
        transport: authority))
    let account = try await signIn(app)
    authority.next(.token, status: 500, "")
    _ = try await refresh(account, with: app)
    #expect(pauses.all == [.milliseconds(milliseconds)])
  }

  @Test("A canceled request ends its pause after five seconds, and sends nothing more")
  func canceled() async throws {
    let (begun, hasBegun) = AsyncStream<Void>.makeStream()
    let (ended, hasEnded) = AsyncStream<Void>.makeStream()
    let waits = Pauses()
    let app = try TestApplication.make(authority, clock: clock) { pause in
      // The time for the answer to a canceled request is over at once.
      guard pause != .seconds(5) else { return waits.add(pause) }
      hasBegun.yield()
      defer { hasEnded.yield() }
      // Only canceling the task ends the pause.
      try await Task.sleep(for: .seconds(3600))
    }
    let account = try await signIn(app)
    authority.next(.token, status: 500, "")
    let request = Task { try await refresh(account, with: app) }
    for await _ in begun { break }
    request.cancel()
    let error = await #expect(throws: AuthenticationError.self) { try await request.value }
    #expect(error?.code == .userCanceled)
    for await _ in ended { break }
    #expect(waits.all == [.seconds(5)])
    #expect(authority.count(.token) == 2)
  }
}
