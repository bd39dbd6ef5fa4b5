import AuthCore
import CurlHTTP
import FoundationEssentials
import TestSupport
import Testing

/// The account lives only if the newest refresh token is kept, whatever goes wrong with the rest (RFC
/// 9700, section 4.14.2).
@Suite("A service that accepts each refresh token once", .timeLimit(.minutes(5)))
struct RotationTests {
  static let services = [Service.oidc, Service.all[0]]
  /// A key that claims the ID of the service's.
  static let forger = ScriptedKey.rsa("key-1")

  /// An answer that differs from what the standards demand, or from what is usual.
  struct UnusualResponse: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// Whether the access token is good for use.
    var isUsable: Bool
    var script: @Sendable (ScriptedAuthority) -> Void

    /// An answer whose member called `name` is `text`.
    static func member(_ name: String, _ text: String, isUsable: Bool = true) -> UnusualResponse {
      UnusualResponse(testDescription: "\(name): \(text)", isUsable: isUsable) { authority in
        let value = try? JSON(parsing: text.utf8)
        authority.edit(.tokens) { $0[name] = value }
      }
    }

    /// An answer whose ID token has a claim called `name` that is `text`.
    static func claim(_ name: String, _ text: String) -> UnusualResponse {
      UnusualResponse(testDescription: "\(name) in the ID token: \(text)", isUsable: false) {
        authority in
        let value = try? JSON(parsing: text.utf8)
        authority.edit(.claims) { $0[name] = value }
      }
    }

    static let usual = UnusualResponse(testDescription: "nothing odd", isUsable: true) { _ in }

    static let all: [UnusualResponse] =
      [
        usual,
        .member("expires_in", "3600.0"), .member("expires_in", "\"3600\""),
        .member("expires_in", "-1"), .member("expires_in", "\"\""), .member("expires_in", "1e400"),
        .member("refresh_in", "1.5"), .member("refresh_in", "\"soon\""),
        .member("ext_expires_in", "\"\""), .member("ext_expires_in", "[]"),
        .member("scope", "[\"User.Read\"]"), .member("foci", "1"), .member("scope", "null"),
        .member("token_type", "null", isUsable: false),
        .member("token_type", "\"mac\"", isUsable: false),
        .member("access_token", "\"a b\"", isUsable: false),
        .member("access_token", "null", isUsable: false),
        .member("id_token", "\"a.b.c\"", isUsable: false),
        .claim("iss", "\"https://evil.example/\""), .claim("aud", "\"other\""),
        .claim("exp", "true"), .claim("sub", "null"),
        UnusualResponse(testDescription: "an ID token without a signature", isUsable: false) {
          $0.edit(.header) { $0["alg"] = .string("none") }
        },
        UnusualResponse(testDescription: "a forged ID token", isUsable: false) {
          $0.willSign(with: RotationTests.forger, serving: [.first])
        },
        UnusualResponse(testDescription: "an unknown key", isUsable: false) {
          $0.willSign(with: .second, serving: [.first])
        },
        UnusualResponse(testDescription: "a new key, and no key server", isUsable: true) {
          $0.willSign(with: .second)
          $0.next(.keys, times: 10, status: 503, "")
        },
        UnusualResponse(testDescription: "a new key", isUsable: true) {
          $0.willSign(with: .second)
        },
      ]
  }

  /// What happens to the store while the answer is stored.
  enum Fault: Sendable, CaseIterable {
    case none
    /// The first write fails.
    case oneWrite
    /// Every write fails until the next request.
    case writes
    /// Everything fails until the next request.
    case all
  }

  @Test(
    "The account stays signed in after any unusual response, store fault and cancellation",
    arguments: services, UnusualResponse.all)
  func survives(service: Service, odd: UnusualResponse) async throws {
    for fault in Fault.allCases {
      for moment in [nil] + RotatingAuthority.Moment.allCases.map(Optional.init) {
        try await survive(service, odd, fault, canceledAt: moment)
      }
    }
  }

  private func survive(
    _ service: Service, _ odd: UnusualResponse, _ fault: Fault,
    canceledAt moment: RotatingAuthority.Moment?
  ) async throws {
    let comment: Comment = "\(odd.testDescription), store: \(fault), canceled: \(moment as Any)"
    let usual = try service.authority()
    let network = RotatingAuthority(usual)
    let (clock, store) = (ManualClock(), ScriptedStore())
    func app() throws -> PublicClientApplication {
      try TestApplication.make(
        network, clock: clock, store: store, authority: service.url,
        known: service.isOwn ? [service.url] : [], kind: service.kind
      ) { pause in
        // Only the wait for the answer to a canceled request takes time, more than any answer.
        if pause == .seconds(5) { try await Task.sleep(for: .seconds(600)) }
      }
    }
    let first = try app()
    let account = try await first.acquireToken(.init(scopes: ["User.Read"], session: usual.pages))
      .account
    clock.advance(by: 3700)

    odd.script(usual)
    script(store, fault)
    let (start, isReady) = AsyncStream<Void>.makeStream()
    let request = Task {
      for await _ in start { break }
      return try await first.acquireTokenSilent(.init(scopes: ["User.Read"], account: account))
    }
    if let moment { network.at(moment) { request.cancel() } }
    isReady.yield()
    let result = await request.result
    await PublicClientApplication.finishTokenRequests()
    if moment == nil {
      switch result {
      case .success(let token):
        #expect(odd.isUsable, comment)
        let isKept = fault == .none || fault == .oneWrite
        #expect((token.storageFailure == nil) == isKept, comment)
      case .failure(let error):
        #expect(!odd.isUsable, comment)
        #expect((error as? AuthenticationError)?.code != .interactionRequired, comment)
      }
    }
    #expect(!network.sawReuse, comment)

    // Everything works again, in this process or in the next one.
    for document in [ScriptedAuthority.Document.tokens, .claims, .header] {
      usual.edit(document, nil)
    }
    usual.willSign(with: .first)
    usual.answerAsUsual(.keys)
    store.hold(nil)
    store.fail()
    for moment in RotatingAuthority.Moment.allCases { network.at(moment) {} }
    clock.advance(by: 3700)
    let next = fault == .none || fault == .oneWrite ? try app() : first
    let renewed = try await next.silently(account, force: true)
    #expect(renewed.source == .server, comment)
    #expect(renewed.storageFailure == nil, comment)
    #expect(!network.sawReuse, comment)
  }

  private func script(_ store: ScriptedStore, _ fault: Fault) {
    let writes = LockedValue(0)
    switch fault {
    case .none: break
    case .oneWrite:
      store.hold { operation in
        guard operation == .save else { return }
        let isFirst = writes.withLock { count in
          count += 1
          return count == 1
        }
        if isFirst { store.fail(.save) } else { store.fail() }
      }
    case .writes: store.fail(.save, .delete)
    case .all: store.fail(.load, .save, .delete)
    }
  }

  @Test("The tokens of another account are not kept", arguments: services)
  func otherAccount(service: Service) async throws {
    let usual = try service.authority()
    let (clock, store) = (ManualClock(), ScriptedStore())
    let app = try service.app(usual, clock: clock, store: store)
    let account = try await app.acquireToken(.init(scopes: ["User.Read"], session: usual.pages))
      .account
    let before = store.records
    clock.advance(by: 3700)
    usual.willSignIn(.ben)
    // Also when something else is wrong with them.
    for member in ["scope", "access_token"] {
      usual.edit(.tokens) { $0[member] = .number("1") }
      await #expect(throws: AuthenticationError.self) {
        try await app.acquireTokenSilent(.init(scopes: ["User.Read"], account: account))
      }
      #expect(store.records == before)
    }
    usual.willSignIn(.adele)
    usual.edit(.tokens, nil)
    _ = try await app.acquireTokenSilent(.init(scopes: ["User.Read"], account: account))
    #expect(usual.lastForm["refresh_token"] == "refresh-canary-1")
  }

  @Test("The refresh token is stored while the key server does not answer")
  func slowKeys() async throws {
    let usual = try Service.oidc.authority()
    let network = RotatingAuthority(usual)
    let (clock, store) = (ManualClock(), ScriptedStore())
    func app() throws -> PublicClientApplication {
      try TestApplication.make(
        network, clock: clock, store: store, authority: Service.oidc.url,
        known: [Service.oidc.url], kind: .oidc)
    }
    let first = try app()
    let account = try await first.acquireToken(.init(scopes: ["User.Read"], session: usual.pages))
      .account
    clock.advance(by: 3700)
    usual.willSign(with: .second)
    let (keys, areAsked) = AsyncStream<Void>.makeStream()
    let (answer, isAllowed) = AsyncStream<Void>.makeStream()
    network.at(.keys) {
      areAsked.yield()
      for await _ in answer { break }
    }
    let request = Task {
      try await first.acquireTokenSilent(.init(scopes: ["User.Read"], account: account))
    }
    for await _ in keys { break }
    // The process could be killed now.
    let next = try app()
    network.at(.keys) {}
    #expect(network.valid == "refresh-canary-2")
    #expect(
      try await next.acquireTokenSilent(.init(scopes: ["User.Read"], account: account))
        .source == .server)
    #expect(usual.lastForm["refresh_token"] == "refresh-canary-2")
    isAllowed.yield()
    _ = try await request.value
    #expect(!network.sawReuse)
  }

  @Test("A usual renewal is one write")
  func oneWrite() async throws {
    let usual = try Service.oidc.authority()
    let (clock, store) = (ManualClock(), ScriptedStore())
    let app = try Service.oidc.app(usual, clock: clock, store: store)
    let account = try await app.acquireToken(.init(scopes: ["User.Read"], session: usual.pages))
      .account
    clock.advance(by: 3700)
    let writes = store.count(.save)
    _ = try await app.acquireTokenSilent(.init(scopes: ["User.Read"], account: account))
    #expect(store.count(.save) == writes + 1)
  }

  @Test("A canceled sign-in accepts a response that arrives in time, and ends after that")
  func canceledSignIn() async throws {
    for isInTime in [true, false] {
      let usual = ScriptedAuthority()
      let store = ScriptedStore()
      let pauses = LockedValue<[Duration]>([])
      let (over, isOver) = AsyncStream<Void>.makeStream()
      let app = try TestApplication.make(usual, store: store) { pause in
        defer { isOver.yield() }
        pauses.withLock { $0.append(pause) }
        if isInTime { try await Task.sleep(for: .seconds(600)) }
      }
      let (sent, isSent) = AsyncStream<Void>.makeStream()
      let (answer, isAllowed) = AsyncStream<Void>.makeStream()
      usual.next(.token) { call throws(HTTPError) in
        isSent.yield()
        // Ends when the request is canceled, as a stream does.
        for await _ in answer { return usual.usualReply(to: call) }
        throw HTTPError(.cancelled, host: usual.host, message: "Canceled.")
      }
      let request = Task {
        try await app.acquireToken(.init(scopes: ["User.Read"], session: usual.pages))
      }
      for await _ in sent { break }
      request.cancel()
      if isInTime { isAllowed.yield() }
      let result = await request.result
      let isSuccess = (try? result.get()) != nil
      #expect(isSuccess == isInTime)
      #expect(store.records.count == (isInTime ? 1 : 0))
      if !isInTime { #expect(pauses.withLock { $0 } == [.seconds(5)]) }
      // The timer ends with the request, because it keeps the tokens.
      for await _ in over { break }
    }
  }

  @Test("A store without room keeps a refresh token from being used up")
  func noRoom() async throws {
    let usual = try Service.oidc.authority()
    let network = RotatingAuthority(usual)
    let clock = ManualClock()
    let store = SmallStore()
    let app = try TestApplication.make(
      network, clock: clock, store: store, authority: Service.oidc.url,
      known: [Service.oidc.url], kind: .oidc)
    let account = try await app.acquireToken(.init(scopes: ["User.Read"], session: usual.pages))
      .account
    clock.advance(by: 3700)
    store.isFull.withLock { $0 = true }
    let sent = usual.count(.token)
    let error = await #expect(throws: AuthenticationError.self) {
      try await app.acquireTokenSilent(.init(scopes: ["User.Read"], account: account))
    }
    #expect(error?.code == .storageUnavailable)
    #expect(usual.count(.token) == sent)
    store.isFull.withLock { $0 = false }
    #expect(
      try await app.acquireTokenSilent(.init(scopes: ["User.Read"], account: account)).source
        == .server)
  }

  /// A store that can be full.
  private final class SmallStore: ForwardingStore {
    let memory = MemoryTokenCacheStore()
    let isFull = LockedValue(false)
    var target: any TokenCacheStore { memory }
    var knownTarget: (any TokenCacheStore)? { memory }

    func checkWriting() async throws(AuthenticationError) {
      guard !isFull.withLock({ $0 }) else {
        throw AuthenticationError(.storageUnavailable, "There is no room.", step: .storage)
      }
    }
  }
}
