import AuthCore
import CurlHTTP
import FoundationEssentials
import TestSupport
import Testing

/// Two apps simulate two processes: a lock held by one locks out the other.
@Suite("Renewals by several processes with one store", .timeLimit(.minutes(5)))
struct RenewalTurnTests {
  typealias Event = SharedRequestTests.Event

  let authority = ScriptedAuthority()
  let clock = ManualClock()
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  func newRun(store: (any TokenCacheStore)? = nil) throws -> PublicClientApplication {
    try TestApplication.make(
      authority, clock: clock,
      store: store ?? FileTokenCacheStore(path: directory.path + "/cache.json"))
  }

  /// Signs in, and advances the clock by `seconds`.
  func signIn(_ app: PublicClientApplication, then seconds: Double = 3600) async throws -> Account {
    let account = try await app.acquireToken(
      .init(scopes: ["User.Read"], session: authority.pages)
    ).account
    clock.advance(by: seconds)
    return account
  }

  /// Delays the next response of the token endpoint until `answer` happens.
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

  @Test("Eight processes with twenty calls each send one request, and all get its token")
  func one() async throws {
    let account = try await signIn(newRun())
    let apps = try (0..<8).map { _ in try newRun() }
    let tokens = try await withThrowingTaskGroup(of: String.self) { group in
      for app in apps {
        for _ in 0..<20 {
          group.addTask { try await app.silently(account).accessToken.exposed }
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(tokens == Array(repeating: "access-canary-2", count: 160))
    #expect(authority.count(.token) == 2)
  }

  @Test("Each forced renewal is a request, with the latest refresh token")
  func forced() async throws {
    let account = try await signIn(newRun())
    let apps = try (0..<4).map { _ in try newRun() }
    for app in apps { _ = await app.accounts() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for app in apps {
        group.addTask { _ = try await app.silently(account, force: true) }
      }
      try await group.waitForAll()
    }
    let sent = authority.calls.compactMap { $0.form["refresh_token"] }
    #expect(sent == (1...4).map { "refresh-canary-\($0)" })
  }

  @Test("Other accounts do not wait")
  func others() async throws {
    let (one, other) = (try newRun(), try newRun())
    let adele = try await signIn(one)
    authority.willSignIn(.ben)
    let ben = try await signIn(one)
    let answer = Event()
    authority.willSignIn(.adele)
    let begun = hold(until: answer)
    async let first = one.silently(adele)
    await begun.wait()
    authority.willSignIn(.ben)
    #expect(try await other.silently(ben).source == .server)
    authority.willSignIn(.adele)
    answer.happen()
    #expect(try await first.source == .server)
  }

  @Test("A token that is due is left to the process that renews it")
  func due() async throws {
    authority.edit(.tokens) { $0["refresh_in"] = .number("1800") }
    let (one, other) = (try newRun(), try newRun())
    let account = try await signIn(one, then: 1800)
    let answer = Event()
    let begun = hold(until: answer)
    _ = try await one.silently(account)
    await begun.wait()
    for _ in 1...50 {
      #expect(try await other.silently(account).accessToken.exposed == "access-canary-1")
    }
    answer.happen()
    while try await other.silently(account).accessToken.exposed == "access-canary-1" {
      try Task.checkCancellation()
      await Task.yield()
    }
    #expect(authority.count(.token) == 2)
  }

  @Test("A cached token is returned while another process renews")
  func cached() async throws {
    let (one, other) = (try newRun(), try newRun())
    let account = try await signIn(one, then: 0)
    let answer = Event()
    let begun = hold(until: answer)
    async let first = one.silently(account, force: true)
    await begun.wait()
    #expect(try await other.silently(account).source == .cache)
    answer.happen()
    _ = try await first
  }

  // MARK: - Without a lock

  @Test("Calls for several APIs send each refresh token once, in any store")
  func severalAPIs() async throws {
    let stores: [any TokenCacheStore] = [
      MemoryTokenCacheStore(), ScriptedStore(),
      FileTokenCacheStore(path: directory.path + "/cache.json"),
    ]
    for store in stores {
      let authority = ScriptedAuthority()
      let app = try TestApplication.make(authority, clock: clock, store: store)
      let account = try await app.acquireToken(
        .init(scopes: ["User.Read"], session: authority.pages)
      ).account
      try await withThrowingTaskGroup(of: Void.self) { group in
        for api in 1...8 {
          group.addTask {
            let result = try await app.acquireTokenSilent(
              .init(scopes: ["api-\(api)/Read"], account: account))
            #expect(result.source == .server)
          }
        }
        try await group.waitForAll()
      }
      let sent = authority.calls.compactMap { $0.form["refresh_token"] }
      #expect(sent == (1...8).map { "refresh-canary-\($0)" })
    }
  }

  @Test("A call that is canceled while it waits for its turn uses no refresh token")
  func givenUp() async throws {
    let app = try newRun(store: MemoryTokenCacheStore())
    let account = try await signIn(app)
    let answer = Event()
    let begun = hold(until: answer)
    let first = Task { try await app.silently(account) }
    await begun.wait()
    let second = Task { try await app.silently(account, scopes: ["Mail.Read"]) }
    for _ in 1...20 { await Task.yield() }
    second.cancel()
    let error = await #expect(throws: AuthenticationError.self) { try await second.value }
    #expect(error?.code == .userCanceled)
    answer.happen()
    _ = try await first.value
    _ = try await app.silently(account, force: true)
    #expect(authority.calls.compactMap { $0.form["refresh_token"] }.count == 2)
  }

  @Test("When another process has used the refresh token, the store has a new one")
  func spent() async throws {
    // It has no lock, and does not detect changes.
    let store = ScriptedStore()
    let (one, other) = (try newRun(store: store), try newRun(store: store))
    let account = try await signIn(one)
    _ = await other.accounts()
    #expect(try await one.silently(account).source == .server)
    authority.next(.token, status: 400, "{\"error\":\"invalid_grant\"}")
    // The new access token is in the store too.
    let result = try await other.silently(account)
    #expect(result.accessToken.exposed == "access-canary-2")
    #expect(result.source == .cache)

    // For another API, the new refresh token is used.
    #expect(try await one.silently(account, force: true).source == .server)
    authority.next(.token, status: 400, "{\"error\":\"invalid_grant\"}")
    #expect(try await other.silently(account, scopes: ["Mail.Read"]).source == .server)
    #expect(authority.lastForm["refresh_token"] == "refresh-canary-3")
  }

  @Test("The store is read again once, and only a new refresh token is tried")
  func refused() async throws {
    let store = ScriptedStore()
    let app = try newRun(store: store)
    let account = try await signIn(app)
    let loads = store.count(.load)
    authority.next(.token, times: 3, status: 400, "{\"error\":\"invalid_grant\"}")
    for _ in 1...2 {
      let error = await #expect(throws: AuthenticationError.self) {
        try await app.silently(account)
      }
      #expect(error?.code == .interactionRequired)
    }
    #expect(authority.count(.token) == 2)
    #expect(store.count(.load) == loads + 1)
  }

  /// A shared file without a lock, as when the lock's holder hangs for long.
  struct Unlocked: TokenCacheStore {
    let file: FileTokenCacheStore

    var hasChanged: Bool { file.hasChanged }
    func load() async throws(AuthenticationError) -> [StoredRecord] { try await file.load() }
    func save(_ record: StoredRecord) async throws(AuthenticationError) {
      try await file.save(record)
    }
    func delete(id: String) async throws(AuthenticationError) { try await file.delete(id: id) }
  }

  @Test("A late response does not replace newer tokens")
  func overtaken() async throws {
    func newRun() throws -> PublicClientApplication {
      try self.newRun(
        store: Unlocked(file: FileTokenCacheStore(path: directory.path + "/cache.json")))
    }
    let (one, other) = (try newRun(), try newRun())
    let account = try await signIn(one)
    _ = await other.accounts()
    let (answer, keys) = (Event(), Event())
    // Its tokens have arrived; then the process is suspended.
    authority.next(.keys) { [authority] call in
      keys.happen()
      await answer.wait()
      return authority.usualReply(to: call)
    }
    async let late = other.silently(account)
    await keys.wait()
    clock.advance(by: 10)
    #expect(try await one.silently(account).accessToken.exposed == "access-canary-3")
    answer.happen()
    #expect(try await late.accessToken.exposed == "access-canary-2")
    let next = try newRun()
    #expect(try await next.silently(account).accessToken.exposed == "access-canary-3")
    _ = try await next.silently(account, force: true)
    #expect(authority.lastForm["refresh_token"] == "refresh-canary-3")
  }
}
