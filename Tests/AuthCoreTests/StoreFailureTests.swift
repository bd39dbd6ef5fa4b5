import AuthCore
import CurlHTTP
import FoundationEssentials
import TestSupport
import Testing

@Suite("Stores that are locked, failing or slow", .timeLimit(.minutes(5)))
struct StoreFailureTests {
  typealias Event = SharedRequestTests.Event

  let authority = ScriptedAuthority()
  let clock = ManualClock()
  let store = ScriptedStore()

  func newRun() throws -> PublicClientApplication {
    try TestApplication.make(authority, clock: clock, store: store)
  }

  @discardableResult
  func signIn(
    _ app: PublicClientApplication, _ person: Person = .adele
  ) async throws -> AuthenticationResult {
    clock.advance(by: 1)
    authority.willSignIn(person)
    return try await app.acquireToken(.init(scopes: ["User.Read"], session: authority.pages))
  }

  func failure(
    _ app: PublicClientApplication, _ account: Account
  ) async throws -> AuthenticationError {
    try #require(
      await #expect(throws: AuthenticationError.self) { try await app.silently(account) })
  }

  /// Makes the store take ten seconds to fail.
  func makeSlow() {
    store.fail(.load, .save, .delete)
    store.hold { [clock] _ in clock.advance(by: 10) }
  }

  func makeWell() {
    store.fail()
    store.hold(nil)
  }

  // MARK: - Silent requests

  @Test("A silent request with a locked store reports it, and does not ask for a sign-in")
  func locked() async throws {
    let adele = try await signIn(newRun()).account
    store.fail(.load)
    let app = try newRun()
    let error = try await failure(app, adele)
    #expect(error.code == .storageUnavailable)
    #expect(error.step == .storage)
    #expect(error.correlationID?.isEmpty == false)
    store.fail()
    #expect(try await app.silently(adele).source == .cache)
  }

  @Test("An account that is missing in a readable store requires a sign-in")
  func absent() async throws {
    let adele = try await signIn(newRun()).account
    store.records = []
    #expect(try await failure(newRun(), adele).code == .interactionRequired)
  }

  @Test("A store that is slow to fail is not called again immediately")
  func pause() async throws {
    let adele = try await signIn(newRun()).account
    let app = try newRun()
    makeSlow()
    #expect(try await failure(app, adele).code == .storageUnavailable)
    let loads = store.count(.load)
    for _ in 1...20 { #expect(try await failure(app, adele).code == .storageUnavailable) }
    #expect(store.count(.load) == loads)
    clock.advance(by: 30)
    #expect(try await failure(app, adele).code == .storageUnavailable)
    #expect(store.count(.load) == loads + 1)
    // An explicit request for the accounts reads it immediately.
    makeWell()
    #expect(await app.accounts() == [adele])
    #expect(try await app.silently(adele).source == .cache)
  }

  @Test("Unlocking does not wait for the end of a pause")
  func unlock() async throws {
    let adele = try await signIn(newRun()).account
    let app = try newRun()
    makeSlow()
    #expect(try await failure(app, adele).code == .storageUnavailable)
    let loads = store.count(.load)
    makeWell()
    await app.unlockStorage()
    #expect(store.count(.load) == loads + 1)
    #expect(try await app.silently(adele).source == .cache)
  }

  @Test("Tokens come from memory while a store that was slow to fail is called again")
  func memoryAnswers() async throws {
    let app = try newRun()
    let adele = try await signIn(app).account
    makeSlow()
    store.markChanged()
    #expect(try await app.silently(adele).source == .cache)
    let loads = store.count(.load)
    for _ in 1...20 { #expect(try await app.silently(adele).source == .cache) }
    #expect(store.count(.load) == loads)
    // It hangs now, and nobody waits for it.
    clock.advance(by: 30)
    let (asked, answer) = (Event(), Event())
    store.hold { _ in
      asked.happen()
      await answer.wait()
    }
    store.fail()
    for _ in 1...20 { #expect(try await app.silently(adele).source == .cache) }
    await asked.wait()
    #expect(try await app.silently(adele).source == .cache)
    answer.happen()
    while await app.storageFailure != nil { await Task.yield() }
  }

  // MARK: - Storing new tokens

  @Test("Tokens that could not be stored are reported with the token")
  func notKept() async throws {
    let app = try newRun()
    let first = try await signIn(app)
    #expect(first.storageFailure == nil)
    store.fail(.save)
    let renewed = try await app.silently(first.account, force: true)
    #expect(renewed.source == .server)
    #expect(renewed.storageFailure?.code == .storageUnavailable)
    #expect(app.hasUnsavedTokens)
    #expect(try await signIn(app, .ben).storageFailure?.code == .storageUnavailable)
    store.fail()
    authority.willSignIn(.adele)
    #expect(try await app.silently(first.account, force: true).storageFailure == nil)
    #expect(try await app.silently(first.account).storageFailure == nil)
    #expect(!app.hasUnsavedTokens)
    let others = try newRun()
    #expect(await others.accounts().count == 2)
    _ = try await others.silently(first.account, force: true)
    #expect(authority.lastForm["refresh_token"] == "refresh-canary-4")
  }

  @Test("A renewal with a store that hangs waits for it once, and reports the failure")
  func renewalAtASlowStore() async throws {
    let app = try newRun()
    let adele = try await signIn(app).account
    makeSlow()
    store.markChanged()
    let calls = store.count(.load) + store.count(.save)
    let renewed = try await app.silently(adele, force: true)
    #expect(renewed.storageFailure?.code == .storageUnavailable)
    #expect(store.count(.load) + store.count(.save) == calls + 1)
    makeWell()
    clock.advance(by: 30)
    #expect(try await app.silently(adele).accessToken.exposed == "access-canary-2")
    while await app.storageFailure != nil { await Task.yield() }
    _ = try await newRun().silently(adele, force: true)
    #expect(authority.lastForm["refresh_token"] == "refresh-canary-2")
  }

  // MARK: - Shared reads

  @Test("Canceling one caller's read of the store does not affect other callers")
  func sharedRead() async throws {
    let adele = try await signIn(newRun()).account
    let (begun, answer) = (Event(), Event())
    store.hold { operation in
      guard operation == .load else { return }
      begun.happen()
      for await _ in answer.stream { break }
    }
    let app = try newRun()
    let others = (0..<10).map { _ in Task { try await app.silently(adele) } }
    await begun.wait()
    for _ in 1...10 {
      let request = Task { await app.accounts() }
      for _ in 1...20 { await Task.yield() }
      request.cancel()
      #expect(await request.value.isEmpty, "it does not wait for the store")
    }
    store.hold(nil)
    answer.happen()
    for other in others { #expect(try await other.value.source == .cache) }
  }

  @Test("A canceled call reports the cancellation, not a required sign-in")
  func givenUp() async throws {
    let adele = try await signIn(newRun()).account
    let begun = Event()
    store.hold { _ in
      begun.happen()
      for await _ in AsyncStream<Void>.makeStream().stream { break }
    }
    let app = try newRun()
    let request = Task { try await app.silently(adele) }
    await begun.wait()
    request.cancel()
    let error = await #expect(throws: AuthenticationError.self) { try await request.value }
    #expect(error?.code == .userCanceled)
  }

  /// Delays the next write until `answer` happens.
  ///
  /// - Returns: an event that happens when the write has begun.
  func holdWrite(until answer: Event) -> Event {
    let begun = Event()
    store.hold { operation in
      guard operation == .save else { return }
      begun.happen()
      await answer.wait()
    }
    return begun
  }

  @Test("Accounts that are requested during a write are those of the store")
  func readBehindAWrite() async throws {
    let app = try newRun()
    let adele = try await signIn(app).account
    let other = ScriptedStore()
    try await signIn(TestApplication.make(authority, clock: clock, store: other), .ben)
    authority.willSignIn(.adele)
    let answer = Event()
    let writing = holdWrite(until: answer)
    let renewal = Task { try await app.silently(adele, force: true) }
    await writing.wait()
    // Another process signs Ben in.
    store.records += other.records
    store.markChanged()
    let asked = store.timesAskedForChange
    let accounts = Task { await app.accounts() }
    while store.timesAskedForChange == asked, !Task.isCancelled { await Task.yield() }
    store.hold(nil)
    answer.happen()
    #expect(Set(await accounts.value.map(\.username)).contains(Person.ben.username))
    _ = try await renewal.value
  }

  @Test("After a rejected refresh token, the store is read during another account's write")
  func lookBehindAWrite() async throws {
    // The store does not detect that another process has renewed the token.
    let (app, process) = (try newRun(), try newRun())
    let ben = try await signIn(app, .ben).account
    let adele = try await signIn(app).account
    _ = await process.accounts()
    #expect(try await process.silently(adele, force: true).source == .server)
    let answer = Event()
    let writing = holdWrite(until: answer)
    authority.willSignIn(.ben)
    let renewal = Task { try await app.silently(ben, force: true) }
    await writing.wait()
    authority.willSignIn(.adele)
    let sent = authority.count(.token)
    authority.next(.token, status: 400, "{\"error\":\"invalid_grant\"}")
    let request = Task { try await app.silently(adele, force: true) }
    while authority.count(.token) == sent { await Task.yield() }
    for _ in 1...20 { await Task.yield() }
    store.hold(nil)
    answer.happen()
    #expect(try await request.value.source == .server)
    #expect(authority.lastForm["refresh_token"] == "refresh-canary-3")
    _ = try await renewal.value
  }
}
