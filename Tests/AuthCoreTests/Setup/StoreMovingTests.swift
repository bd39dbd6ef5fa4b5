import AuthCore
import CurlHTTP
import FoundationEssentials
import TestSupport
import Testing

/// A keyring that can appear, fail, and lose what it is given.
private final class LateKeyring: KeyringStore {
  let store = ScriptedStore()
  private let presenceNow = LockedValue(KeyringPresence.noService)
  /// The number of records that it keeps; nil for all.
  private let capacity = LockedValue(Int?.none)

  func appear() { presenceNow.withLock { $0 = .unlocked } }
  func keepOnly(_ count: Int?) { capacity.withLock { $0 = count } }

  func presence() -> KeyringPresence { presenceNow.withLock { $0 } }
  func load() async throws(AuthenticationError) -> [StoredRecord] { try await store.load() }
  func save(_ record: StoredRecord) async throws(AuthenticationError) {
    if let capacity = capacity.withLock({ $0 }), store.records.count >= capacity { return }
    try await store.save(record)
  }
  func delete(id: String) async throws(AuthenticationError) { try await store.delete(id: id) }
  func allowAskingAgain() {}
}

@Suite("Moving accounts from encrypted files into a keyring")
struct StoreMovingTests {
  let directory: TemporaryDirectory
  let authority = ScriptedAuthority()
  let clock = ManualClock()
  fileprivate let keyring = LateKeyring()

  static let passphrase = Secret("correct horse")

  init() throws {
    directory = try TemporaryDirectory()
  }

  func store(_ setting: StorageKind? = nil) -> ChosenStore {
    ChosenStore(
      setting: setting, keyring: keyring, directory: directory.path, credentials: "/none")
  }

  func app(_ store: ChosenStore) throws -> PublicClientApplication {
    PublicClientApplication(
      configuration: try TestApplication.configuration(), store: store,
      runtime: Runtime(now: { [clock] in clock.now }, sleep: { _ in }, transport: authority))
  }

  /// A store with encrypted files where Adele and Ben are signed in.
  func filled() async throws -> ChosenStore {
    let store = store()
    let app = try app(store)
    try await store.unlock(with: Self.passphrase)
    for person in [Person.adele, .ben] {
      clock.advance(by: 1)
      authority.willSignIn(person)
      _ = try await app.acquireToken(
        InteractiveTokenParameters(scopes: ["User.Read"], session: authority.pages))
    }
    return store
  }

  /// The files of accounts.
  var files: [String] {
    directory.names(in: "accounts").filter { $0.hasPrefix("account.") }
  }

  @Test("A keyring that appears is offered, and gets all accounts")
  func move() async throws {
    let store = try await filled()
    #expect(await store.keyringMove == .notPossible)
    keyring.appear()
    #expect(await store.keyringMove == .possible)
    #expect(try await store.moveToKeyring() == 2)
    #expect(keyring.store.records.count == 2)
    #expect(files.isEmpty)
    #expect(await store.choice.kind == .secretService)
    #expect(await store.keyringMove == .notPossible)
    // The next run has them, without the passphrase.
    let next = self.store()
    #expect(await (try app(next)).accounts().map(\.username).count == 2)
    #expect(await next.keyringMove == .notPossible)
  }

  @Test("A run that begins with the keyring moves the files with their passphrase")
  func nextRun() async throws {
    _ = try await filled()
    keyring.appear()
    let store = store()
    #expect(await store.choice.kind == .secretService)
    #expect(await store.keyringMove == .needsPassphrase)
    for wrong in [nil, Secret("wrong horse")] {
      await #expect(throws: AuthenticationError.self) {
        try await store.moveToKeyring(passphrase: wrong)
      }
    }
    #expect(!files.isEmpty)
    #expect(try await store.moveToKeyring(passphrase: Self.passphrase) == 2)
    #expect(await (try app(store)).accounts().count == 2)
    #expect(files.isEmpty)
  }

  @Test(
    "When the keyring fails or loses an account, the files remain and are used", arguments: 0...2)
  func failure(kept: Int) async throws {
    let store = try await filled()
    let before = files
    keyring.appear()
    if kept == 0 { keyring.store.fail(.save) } else { keyring.keepOnly(kept - 1) }
    await #expect(throws: AuthenticationError.self) { try await store.moveToKeyring() }
    #expect(files == before)
    #expect(await store.choice.kind == .encryptedFile)
    #expect(await (try app(store)).accounts().count == 2)
    // Again, when it works.
    keyring.store.fail()
    keyring.keepOnly(nil)
    #expect(try await store.moveToKeyring() == 2)
    #expect(keyring.store.records.count == 2)
    #expect(files.isEmpty)
  }

  @Test("Without a keyring nothing is moved")
  func noKeyring() async throws {
    let store = try await filled()
    let error = await #expect(throws: AuthenticationError.self) {
      try await store.moveToKeyring()
    }
    #expect(error?.message.contains("there is no keyring") == true)
    #expect(!files.isEmpty)
  }

  @Test(
    "Before the first file is removed, both places have everything; a failure there changes nothing"
  )
  func order() async throws {
    let store = try await filled()
    keyring.appear()
    let (keyring, directory) = (keyring, directory)
    await #expect(throws: AuthenticationError.self) {
      try await store.moveToKeyring { () throws(AuthenticationError) in
        #expect(keyring.store.records.count == 2)
        #expect(directory.names(in: "accounts").contains { $0.hasPrefix("account.") })
        throw AuthenticationError(.storageUnavailable, "the setting cannot be changed")
      }
    }
    #expect(await store.choice.kind == .encryptedFile)
    #expect(await (try app(store)).accounts().count == 2)
    // A program that was killed here: the next run has them in the keyring, and can finish.
    let next = self.store()
    #expect(await (try app(next)).accounts().count == 2)
    #expect(await next.keyringMove == .needsPassphrase)
    #expect(try await next.moveToKeyring(passphrase: Self.passphrase) == 2)
    #expect(keyring.store.records.count == 2)
    #expect(files.isEmpty)
  }

  @Test("What another program has written into the files meanwhile stays there, and can be moved")
  func otherProgram() async throws {
    let store = try await filled()
    let files = self.store(.encryptedFile)
    try await files.unlock(with: Self.passphrase)
    let other = try app(files)
    let account = try #require(await other.accounts().first)
    keyring.appear()
    try await store.moveToKeyring { () throws(AuthenticationError) in
      _ = try await other.silently(account, force: true)
    }
    #expect(self.files.count == 1)
    #expect(try await other.silently(account).accessToken.exposed == "access-canary-3")
    #expect(await store.keyringMove == .needsPassphrase)
    #expect(try await store.moveToKeyring(passphrase: Self.passphrase) == 1)
    #expect(self.files.isEmpty)
    let next = try app(self.store())
    #expect(try await next.silently(account).accessToken.exposed == "access-canary-3")
  }

  @Test("What changes during the move is moved too")
  func change() async throws {
    let store = try await filled()
    let app = try app(store)
    keyring.appear()
    let account = try #require(await app.accounts().first)
    try await store.moveToKeyring { () throws(AuthenticationError) in
      _ = try await app.silently(account, force: true)
    }
    let next = try self.app(self.store())
    let token = try await next.acquireTokenSilent(
      SilentTokenParameters(scopes: ["User.Read"], account: account))
    #expect(token.accessToken.exposed == "access-canary-3")
    #expect(files.isEmpty)
  }
}
