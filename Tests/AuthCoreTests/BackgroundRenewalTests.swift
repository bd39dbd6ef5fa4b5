import CurlHTTP
import FoundationEssentials
import HTTPTypes
import TestSupport
import Testing

@testable import AuthCore

@Suite("A valid token that is due for renewal (refresh_in)", .timeLimit(.minutes(5)))
struct BackgroundRenewalTests {
  let authority = ScriptedAuthority()
  let clock = ManualClock()
  let store = ScriptedStore()
  let app: PublicClientApplication

  init() throws {
    app = try TestApplication.make(authority, clock: clock, store: store)
    authority.edit(.tokens) { $0["refresh_in"] = .number("1800") }
  }

  /// Signs in, and advances the clock until the token is due.
  func signIn() async throws -> Account {
    let account = try await app.acquireToken(
      .init(scopes: ["User.Read"], session: authority.pages)
    ).account
    clock.advance(by: 1800)
    return account
  }

  /// Requests a token repeatedly until `condition` is true.
  func ask(
    _ account: Account, until condition: (AuthenticationResult) -> Bool
  ) async throws -> AuthenticationResult {
    while true {
      let result = try await app.silently(account)
      if condition(result) { return result }
      try Task.checkCancellation()
      await Task.yield()
    }
  }

  /// Waits for the end of the renewal in the background: if it failed, the pause has begun.
  func finishRenewal() async {
    while await !app.backgroundRenewals.isEmpty, !Task.isCancelled { await Task.yield() }
  }

  /// Waits for a renewal that `seconds` make possible.
  func expectRenewal(of account: Account, after seconds: Double) async throws {
    await finishRenewal()
    clock.advance(by: seconds)
    _ = try await ask(account) {
      #expect($0.source == .cache)
      return $0.accessToken.exposed == "access-canary-2"
    }
  }

  @Test("The token is returned at once and renewed in the background, for the next caller")
  func renewed() async throws {
    let account = try await signIn()
    let (answer, mayAnswer) = AsyncStream<Void>.makeStream()
    authority.next(.token) { [authority] call in
      for await _ in answer { break }
      return authority.usualReply(to: call)
    }
    // The server answers only after this has returned.
    let old = try await app.silently(account)
    #expect(old.accessToken.exposed == "access-canary-1")
    #expect(old.source == .cache)
    #expect(!old.isExtendedLifetimeToken)
    mayAnswer.yield()
    let new = try await ask(account) { $0.accessToken.exposed == "access-canary-2" }
    #expect(new.source == .cache)
    #expect(new.expiresOn == clock.now + 3600)
    #expect(authority.lastForm["refresh_token"] == "refresh-canary-1")
    #expect(authority.count(.token) == 2)
  }

  @Test("Nothing is sent before the token is due")
  func notYet() async throws {
    let account = try await signIn()
    clock.advance(by: -1)
    for _ in 1...10 { #expect(try await app.silently(account).source == .cache) }
    clock.advance(by: 1)
    _ = try await ask(account) { $0.accessToken.exposed == "access-canary-2" }
    #expect(authority.count(.token) == 2, "the sign-in, and one renewal")
  }

  @Test("A hundred callers cause one renewal, and none of them waits for it")
  func once() async throws {
    let account = try await signIn()
    let (answer, mayAnswer) = AsyncStream<Void>.makeStream()
    authority.next(.token) { [authority] call in
      for await _ in answer { break }
      return authority.usualReply(to: call)
    }
    let tokens = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<100 {
        group.addTask { try await app.silently(account).accessToken.exposed }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(tokens == Array(repeating: "access-canary-1", count: 100))
    mayAnswer.yield()
    _ = try await ask(account) { $0.accessToken.exposed == "access-canary-2" }
    #expect(authority.count(.token) == 2)
  }

  @Test("A caller with an expired token shares the renewal in progress")
  func shared() async throws {
    let account = try await signIn()
    let (answer, mayAnswer) = AsyncStream<Void>.makeStream()
    authority.next(.token) { [authority] call in
      for await _ in answer { break }
      return authority.usualReply(to: call)
    }
    _ = try await app.silently(account)
    while authority.count(.token) < 2 { await Task.yield() }
    clock.advance(by: 1800)
    async let late = app.silently(account)
    mayAnswer.yield()
    #expect(try await late.accessToken.exposed == "access-canary-2")
    #expect(authority.count(.token) == 2)
  }

  @Test("The new refresh token is stored for the next run")
  func rotation() async throws {
    let account = try await signIn()
    _ = try await ask(account) { $0.accessToken.exposed == "access-canary-2" }
    let next = try TestApplication.make(authority, clock: clock, store: store)
    clock.advance(by: 3600)
    _ = try await next.acquireTokenSilent(.init(scopes: ["User.Read"], account: account))
    #expect(authority.lastForm["refresh_token"] == "refresh-canary-2")
  }

  @Test(
    "A failed renewal is not reported, and not retried for a minute",
    arguments: [429, 500, 503, 400, 0])
  func failure(status: Int) async throws {
    let account = try await signIn()
    // A 5xx or a lost connection is retried once immediately.
    let times = status == 429 || status == 400 ? 1 : 2
    authority.next(.token, times: times) { _ throws(HTTPError) in
      guard status > 0 else { throw HTTPError(.timedOut, host: "h", message: "Too slow.") }
      return .make(status, "{\"error\":\"invalid_grant\"}")
    }
    _ = try await ask(account) { _ in authority.count(.token) == 1 + times }
    await finishRenewal()
    // An error that requires interaction pauses the request for two minutes.
    for pause in [0.0, 59] + (status == 400 ? [60] : []) {
      clock.advance(by: pause)
      for _ in 1...50 {
        #expect(try await app.silently(account).accessToken.exposed == "access-canary-1")
      }
    }
    #expect(authority.count(.token) == 1 + times)
    // After a refusal, the attempt in the second minute was not sent, and began its own pause.
    try await expectRenewal(of: account, after: status == 400 ? 60 : 1)
    #expect(authority.count(.token) == 2 + times)
  }

  @Test("A longer pause that the server requests is honored")
  func retryAfter() async throws {
    let account = try await signIn()
    authority.next(.token) { _ in
      var reply = HTTPReply.make(429, "")
      reply.response.headerFields[.retryAfter] = "600"
      return reply
    }
    _ = try await ask(account) { _ in authority.count(.token) == 2 }
    await finishRenewal()
    for _ in 1...9 {
      clock.advance(by: 60)
      for _ in 1...20 { #expect(try await app.silently(account).source == .cache) }
    }
    #expect(authority.count(.token) == 2)
    try await expectRenewal(of: account, after: 60)
    #expect(authority.count(.token) == 3)
  }

  @Test("Without a refresh token, the token is returned until it expires")
  func noRefreshToken() async throws {
    authority.edit(.tokens) {
      $0["refresh_in"] = .number("1800")
      $0["refresh_token"] = nil
    }
    let account = try await signIn()
    for _ in 1...10 { #expect(try await app.silently(account).source == .cache) }
    #expect(authority.count(.token) == 1)
  }
}
