import AuthCore
import CurlHTTP
import FoundationEssentials
import Sentences
import TestSupport
import Testing

/// A keyring in any state, which counts the look-ups.
final class ScriptedKeyring: KeyringStore, ForwardingStore {
  private let store = ScriptedStore()
  private let state: KeyringPresence
  private let looks = LockedValue(0)

  init(_ state: KeyringPresence) { self.state = state }

  var target: any TokenCacheStore { store }
  var knownTarget: (any TokenCacheStore)? { store }
  var lookCount: Int { looks.withLock { $0 } }
  var records: [StoredRecord] { store.records }

  func presence() -> KeyringPresence {
    looks.withLock { $0 += 1 }
    return state
  }
  var timesAllowedToAsk: Int { store.timesAllowedToAsk }
}

/// A keyring that is there only when it is looked for the second time.
///
/// The first look waits until ``answerFirst()``.
private final class AppearingKeyring: KeyringStore {
  private let looks = LockedValue(0)
  /// Has an element when the first look has begun.
  let (asked, isAsked) = AsyncStream<Void>.makeStream()
  private let (answered, isAnswered) = AsyncStream<Void>.makeStream()

  func answerFirst() { isAnswered.yield() }

  func presence() async -> KeyringPresence {
    let number = looks.withLock { looks in
      looks += 1
      return looks
    }
    guard number == 1 else { return .unlocked }
    isAsked.yield()
    for await _ in answered { break }
    return .noService
  }

  func load() -> [StoredRecord] { [] }
  func save(_ record: StoredRecord) {}
  func delete(id: String) {}
}

@Suite("The automatically chosen store")
struct ChosenStoreTests {
  let directory: TemporaryDirectory
  let authority = ScriptedAuthority()
  let clock = ManualClock()

  init() throws {
    directory = try TemporaryDirectory()
  }

  func store(
    _ setting: StorageKind? = nil, keyring state: KeyringPresence? = .noService
  ) -> ChosenStore {
    ChosenStore(
      setting: setting, keyring: state.map(ScriptedKeyring.init), directory: directory.path,
      credentials: directory.path + "/credentials")
  }

  func app(_ store: ChosenStore) throws -> PublicClientApplication {
    PublicClientApplication(
      configuration: try TestApplication.configuration(), store: store,
      runtime: Runtime(now: { [clock] in clock.now }, sleep: { _ in }, transport: authority))
  }

  @discardableResult
  func signIn(_ app: PublicClientApplication, _ person: Person = .adele) async throws -> Account {
    clock.advance(by: 1)
    authority.willSignIn(person)
    return try await app.acquireToken(
      InteractiveTokenParameters(scopes: ["User.Read"], session: authority.pages)
    ).account
  }

  // MARK: - Choosing

  @Test(
    "An existing keyring is chosen, in any state",
    arguments: [
      (KeyringPresence.unlocked, "Accounts are kept in the keyring"),
      (.locked, "Accounts are kept in the keyring, which is locked"),
      (.noAnswer, "Accounts are kept in the keyring, which does not respond"),
      (.failed("x y"), "Accounts are kept in the keyring, which reports a problem (x y)"),
    ])
  func keyring(state: KeyringPresence, sentence: String) async {
    let choice = await store(keyring: state).choice
    #expect(choice.kind == .secretService)
    #expect(choice.sentence.description == sentence)
    #expect(choice.passphrase == .notNeeded)
  }

  @Test(
    "Without a keyring and a key, nothing is stored, and the reason is reported",
    arguments: [
      (KeyringPresence.noBus, "there is no session bus to reach a keyring"),
      (.noService, "there is no keyring service in this session"),
      (.noDefaultCollection, "the keyring service has no default keyring"),
    ])
  func nothing(state: KeyringPresence, reason: String) async throws {
    let store = store(keyring: state)
    let choice = await store.choice
    #expect(choice.kind == .memory)
    #expect(choice.passphrase == .new)
    let sentence = "Accounts are remembered only until this program ends, because \(reason)"
    #expect(choice.sentence.description == sentence)
    #expect(!store.hasChanged)
    for work in [
      { () async throws in _ = try await store.load() },
      { try await store.save(StoredRecord(id: "x", contents: Secret(Data()))) },
      { try await store.delete(id: "x") },
    ] {
      let error = await #expect(throws: AuthenticationError.self) { try await work() }
      #expect(error?.code == .storageUnavailable)
      #expect(error?.message == sentence + ".")
    }
    #expect(directory.names.isEmpty)
  }

  @Test("The choice is made once, at the first use")
  func once() async throws {
    let keyring = ScriptedKeyring(.unlocked)
    let store = ChosenStore(keyring: keyring, directory: directory.path)
    #expect(keyring.lookCount == 0)
    await withTaskGroup { group in
      for _ in 1...20 { group.addTask { _ = await store.choice } }
    }
    let app = try app(store)
    try await signIn(app)
    #expect(keyring.lookCount == 1)
    #expect(keyring.records.count == 1)
    _ = try await app.signOut(app.accounts()[0])
    #expect(keyring.records.isEmpty)
  }

  @Test("A choice that is given up while it is made does not replace the next one")
  func givenUp() async {
    let keyring = AppearingKeyring()
    let store = ChosenStore(keyring: keyring, directory: directory.path, credentials: "/none")
    async let first = store.choice
    for await _ in keyring.asked { break }
    store.chooseAgain()
    // By now there is a keyring.
    #expect(await store.choice.kind == .secretService)
    keyring.answerFirst()
    #expect(await first.kind == .memory)
    #expect(await store.choice.kind == .secretService)
  }

  @Test("The user's setting takes precedence")
  func settings() async throws {
    #expect(await store(.secretService, keyring: .noService).choice.kind == .secretService)
    #expect(await store(.secretService, keyring: nil).choice.kind == .memory)
    #expect(await store(.encryptedFile, keyring: .unlocked).choice.passphrase == .new)
    let memory = store(.memory, keyring: .unlocked)
    #expect(await memory.choice.kind == .memory)
    #expect(await memory.choice.passphrase == .notNeeded)
    let app = try app(memory)
    try await signIn(app)
    #expect(await app.storageFailure == nil)
  }

  @Test("An unencrypted file is used on request, and has MSAL's schema")
  func plainFile() async throws {
    let store = store(.plainFile, keyring: .unlocked)
    let adele = try await signIn(app(store))
    let sentence = await store.choice.sentence
    #expect(sentence.description.contains("\(directory.path)/accounts.json"))
    #expect(sentence.description.contains("not encrypted"))
    let json = try JSON(parsing: directory.read("accounts.json"))
    #expect(json["Account"]?.object?.count == 1)
    #expect(await (try app(self.store(.plainFile))).accounts() == [adele])
  }

  @Test("Copies of an unencrypted file that was damaged are removed with the last account")
  func copiesOfPlainFile() async throws {
    let app = try app(store(.plainFile))
    let adele = try await signIn(app)
    try directory.write("accounts.json", "{\"RefreshToken\": {\"refresh-canary")
    let ben = try await signIn(app, .ben)
    func copies() -> [String] { directory.names.filter { $0.contains(".corrupt-") } }
    #expect(copies().count == 1)
    try await app.remove(adele)
    #expect(copies().count == 1)
    try await app.remove(ben)
    #expect(directory.names == ["accounts.json"])
  }

  // MARK: - Passphrases

  @Test("With a new passphrase accounts are stored; the next run has them after entering it")
  func passphrase() async throws {
    let first = store()
    let app = try app(first)
    let adele = try await signIn(app)
    #expect(await app.storageFailure?.code == .storageUnavailable)
    try await first.unlock(with: Secret("correct horse"))
    #expect(await first.choice.kind == .encryptedFile)
    #expect(await first.choice.passphrase == .notNeeded)
    // The account that signed in before is stored too.
    #expect(await app.accounts() == [adele])
    #expect(await app.storageFailure == nil)

    let second = store()
    let next = try self.app(second)
    #expect(await second.choice.kind == .encryptedFile)
    #expect(await second.choice.passphrase == .known)
    #expect(await next.accounts().isEmpty)
    #expect(await next.storageFailure?.code == .storageUnavailable)
    let error = await #expect(throws: AuthenticationError.self) {
      try await second.unlock(with: Secret("wrong horse"))
    }
    #expect(error?.code == .wrongPassphrase)
    #expect(await next.accounts().isEmpty)
    try await second.unlock(with: Secret("correct horse"))
    #expect(await next.accounts() == [adele])
    #expect(await next.storageFailure == nil)
    // It is already unlocked.
    try await second.unlock(with: Secret("anything"))
  }

  @Test("Two concurrent runs with one passphrase share their accounts")
  func twoRuns() async throws {
    let (one, other) = (store(), store())
    try await one.unlock(with: Secret("correct horse"))
    let (first, second) = (try app(one), try app(other))
    try await signIn(first)
    try await signIn(second, .ben)
    try await other.unlock(with: Secret("correct horse"))
    #expect(await second.accounts().count == 2)
    #expect(await first.accounts().count == 2)
  }

  @Test(
    "A locked keyring is reported, and can ask again",
    arguments: [(KeyringPresence.locked, true), (.unlocked, false), (.noService, false)])
  func lockedKeyring(presence: KeyringPresence, isLocked: Bool) async throws {
    let keyring = ScriptedKeyring(presence)
    let store = ChosenStore(keyring: keyring, directory: directory.path, credentials: "/none")
    #expect(await store.isKeyringLocked == isLocked)
    store.allowAskingAgain()
    #expect(keyring.timesAllowedToAsk == (presence == .noService ? 0 : 1))
  }
}
