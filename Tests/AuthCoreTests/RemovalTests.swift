import AuthCore
import FoundationEssentials
import TestSupport
import Testing

/// Two apps with separate stores in one place simulate two processes with separate memory.
@Suite("Removal in one process and a new sign-in in another")
struct RemovalTests {
  let authority = ScriptedAuthority()
  let clock = ManualClock()
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  /// The kinds of stores that processes share.
  enum Kind: CaseIterable { case sharedFile, encryptedFiles }

  func newProcess(_ kind: Kind) throws -> PublicClientApplication {
    let store: any TokenCacheStore =
      switch kind {
      case .sharedFile: FileTokenCacheStore(path: directory.path + "/cache.json")
      case .encryptedFiles:
        EncryptedFileTokenCacheStore(
          directory: directory.path + "/accounts",
          key: Secret(Data(repeating: 7, count: EncryptedFileTokenCacheStore.keySize)))
      }
    return try TestApplication.make(authority, clock: clock, store: store)
  }

  func signIn(_ app: PublicClientApplication) async throws -> Account {
    clock.advance(by: 10)
    let account = try await app.acquireToken(
      .init(scopes: ["User.Read"], session: authority.pages)
    ).account
    clock.advance(by: 10)
    return account
  }

  @Test(
    "Removing an account that is already removed does not remove the next sign-in",
    arguments: Kind.allCases)
  func removedTwice(kind: Kind) async throws {
    let (window, commandLine) = (try newProcess(kind), try newProcess(kind))
    let account = try await signIn(commandLine)
    #expect(await window.accounts() == [account])
    try await commandLine.remove(account)
    // The window still shows the account, and the user clicks Sign Out.
    #expect(try await window.signOut(account).removal == .done)
    #expect(try await signIn(commandLine) == account)
    #expect(await window.accounts() == [account])
    #expect(await (try newProcess(kind)).accounts() == [account])
  }

  @Test("A sign-out whose task is canceled removes the account anyway", arguments: [false, true])
  func canceled(wipes: Bool) async throws {
    let store = ScriptedStore()
    let account = try await signIn(
      TestApplication.make(authority, clock: clock, store: store))
    // The next run has not read the store yet.
    let app = try TestApplication.make(authority, clock: clock, store: store)
    let signOut = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      var parameters = SignOutParameters()
      parameters.wipeCacheForAllAccounts = wipes
      return try await app.signOut(account, parameters: parameters)
    }
    let result = try await signOut.value
    #expect(result.removal == .done && result.failures.isEmpty)
    #expect(store.records.isEmpty)
  }

  @Test(
    "A sign-out that is canceled while the store waits for the user does nothing",
    .timeLimit(.minutes(5)))
  func canceledWhileReading() async throws {
    let store = ScriptedStore()
    let account = try await signIn(TestApplication.make(authority, clock: clock, store: store))
    let app = try TestApplication.make(authority, clock: clock, store: store)
    let asked = holdReads(of: store)
    let signOut = Task { try await app.signOut(account) }
    await asked.wait()
    signOut.cancel()
    let error = await #expect(throws: AuthenticationError.self) { try await signOut.value }
    #expect(error?.code == .userCanceled && error?.correlationID?.isEmpty == false)
    store.hold(nil)
    #expect(store.records.count == 1)
    #expect(await app.accounts() == [account])
  }

  @Test(
    "A wipe that is canceled while the store waits for the user is not reported as done",
    .timeLimit(.minutes(5)))
  func wipeCanceledWhileReading() async throws {
    let store = ScriptedStore()
    let app = try TestApplication.make(authority, clock: clock, store: store)
    let account = try await signIn(app)
    let asked = holdReads(of: store)
    let signOut = Task {
      var parameters = SignOutParameters()
      parameters.wipeAccount = true
      return try await app.signOut(account, parameters: parameters)
    }
    await asked.wait()
    signOut.cancel()
    let result = try await signOut.value
    #expect(result.removal == .done)
    #expect(result.wipe.error?.code == .userCanceled)
  }

  /// Makes reads of a store wait for a user who does not answer.
  ///
  /// - Returns: an event that happens when one waits.
  private func holdReads(of store: ScriptedStore) -> SharedRequestTests.Event {
    let asked = SharedRequestTests.Event()
    store.hold { operation in
      guard operation == .load else { return }
      asked.happen()
      for await _ in AsyncStream<Void>.makeStream().stream {}
    }
    return asked
  }

  @Test("A pending removal does not affect a later sign-in")
  func lateRemoval() async throws {
    for keepsID in [true, false] {
      let store = ScriptedStore()
      let window = try TestApplication.make(authority, clock: clock, store: store)
      let account = try await signIn(window)
      let record = try #require(store.records.first)
      store.fail(.delete)
      #expect(try await window.signOut(account).removal.error?.code == .storageUnavailable)
      // Another process removes the account, and signs it in.
      let other = ScriptedStore()
      _ = try await signIn(TestApplication.make(authority, clock: clock, store: other))
      var next = try #require(other.records.first)
      if keepsID { next.id = record.id }
      store.records = [next]
      store.markChanged()
      store.fail()
      #expect(await window.accounts() == [account])
      #expect(store.records == [next])
    }
  }

  @Test("A pending removal is done later, including earlier sign-ins")
  func madeUpFor() async throws {
    let store = ScriptedStore()
    let window = try TestApplication.make(authority, clock: clock, store: store)
    let account = try await signIn(window)
    store.fail(.delete)
    // Meanwhile, another process has signed in.
    let other = ScriptedStore()
    _ = try await signIn(TestApplication.make(authority, clock: clock, store: other))
    store.records = other.records
    #expect(try await window.signOut(account).removal.error?.code == .storageUnavailable)
    store.fail()
    store.markChanged()
    #expect(await window.accounts().isEmpty)
    #expect(store.records.isEmpty)
  }
}
