@testable import AuthCore
import CurlHTTP
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@Suite("Problems of a store are found before anyone signs in for nothing")
struct StoreCheckTests {
  let authority = ScriptedAuthority()
  let directory: TemporaryDirectory
  let key = Secret(Data((0..<32).map { UInt8($0) }))

  init() throws { directory = try TemporaryDirectory() }

  /// A store in each medium, at a place that need not exist.
  func stores(at place: String) -> [any TokenCacheStore] {
    [
      FileTokenCacheStore(path: "\(place)/cache.json"),
      EncryptedFileTokenCacheStore(directory: "\(place)/accounts", key: key),
      ChosenStore(setting: .plainFile, directory: place, credentials: "/none"),
      ChosenStore(setting: .encryptedFile, directory: place, credentials: "/none"),
    ]
  }

  func failure(
    _ work: () async throws(AuthenticationError) -> Void
  ) async -> AuthenticationError? {
    do throws(AuthenticationError) {
      try await work()
      return nil
    } catch {
      return error
    }
  }

  @Test("A check of a store that can be written leaves nothing behind")
  func noTrace() async throws {
    for place in [directory.path, "\(directory.path)/new/deep"] {
      // The one with a passphrase would be in memory until it is set.
      for store in stores(at: place).dropLast() { try await store.checkWriting() }
    }
    try await MemoryTokenCacheStore().checkWriting()
    #expect(directory.names.isEmpty)
  }

  @Test("A place that cannot be written is named with the reason")
  func unwritable() async throws {
    try directory.write("file", "")
    mkdir("\(directory.path)/open", 0o700)
    chmod("\(directory.path)/open", 0o777)
    let places = [
      ("\(directory.path)/file", "ot a directory"),
      ("\(directory.path)/open", "others can write to its directory"),
      // Nobody can make a file there, not even the administrator.
      ("/proc/none", "it cannot be written"),
    ]
    for (place, words) in places {
      for store in stores(at: place).dropLast() {
        if words.hasPrefix("others"), store is EncryptedFileTokenCacheStore { continue }
        let error = await failure { () throws(AuthenticationError) in
          try await store.checkWriting()
        }
        #expect(error?.code == .storageUnavailable)
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "none")")
        #expect(error?.message.contains(place) == true)
      }
    }
  }

  @Test("An interactive request reports before the pages that nothing can be stored, and continues")
  func beforeThePages() async throws {
    try directory.write("file", "")
    let store = EncryptedFileTokenCacheStore(directory: "\(directory.path)/file/x", key: key)
    let app = try TestApplication.make(authority, store: store)
    let error = await failure { () throws(AuthenticationError) in try await app.checkStorage() }
    #expect(error?.message.contains("Not a directory") == true)
    #expect(authority.calls.isEmpty)
    #expect(await app.storageFailure == error)
    authority.willSignIn(.adele)
    let result = try await app.acquireToken(
      InteractiveTokenParameters(scopes: ["User.Read"], session: authority.pages))
    #expect(result.storageFailure != nil)
  }

  @Test("A damaged file names itself, the reason and a command, and is found by an examination")
  func damaged() async throws {
    func newStore(_ kind: StorageKind) -> ChosenStore {
      ChosenStore(setting: kind, directory: directory.path, credentials: "/none")
    }
    try directory.write("accounts.json", "{\"half")
    try directory.write("passphrase.json", "{")
    for (kind, file) in [(.plainFile, "accounts.json"), (.encryptedFile, "passphrase.json")]
      as [(StorageKind, String)]
    {
      let store = newStore(kind)
      let found = await failure { () throws(AuthenticationError) in try await store.examine() }
      let read = await failure { () throws(AuthenticationError) in _ = try await store.load() }
      #expect(found == read)
      #expect(found?.code == .storageUnavailable)
      #expect(found?.message.contains("“\(directory.path)/\(file)”") == true)
      #expect(found?.message.contains("run 'mv \"\(directory.path)") == true)
      // There is nothing that a passphrase could open.
      #expect(await store.choice.passphrase == .notNeeded)
      #expect(await store.keyringMove == .notPossible)
    }
    #expect(directory.names == ["accounts.json", "passphrase.json"])
  }

  @Test("A damaged passphrase file that was restored is used at the next attempt")
  func restored() async throws {
    try directory.write("passphrase.json", "{")
    let store = ChosenStore(setting: .encryptedFile, directory: directory.path, credentials: "/no")
    #expect(await store.choice.passphrase == .notNeeded)
    try directory.write("passphrase.json", StoreKeyTests.header)
    store.allowAskingAgain()
    // Nothing was encrypted with it, so another one could replace it.
    #expect(await store.choice.passphrase == .new)
    try await store.unlock(with: Secret("correct horse"))
    #expect(try await store.load().isEmpty)
    #expect(try directory.read("passphrase.json") == Data(StoreKeyTests.header.utf8))
  }

  @Test("An examination finds damaged and missing records, and changes nothing")
  func records() async throws {
    let store = EncryptedFileTokenCacheStore(directory: "\(directory.path)/accounts", key: key)
    try await store.save(StoredRecord(id: "x", contents: Secret(Data("1".utf8))))
    try await store.examine()
    let record = try #require(
      directory.names(in: "accounts").first { $0.hasPrefix("account.") })
    try directory.write("accounts/\(record)", "damaged")
    let names = directory.names(in: "accounts")
    let damaged = await failure { () throws(AuthenticationError) in try await store.examine() }
    #expect(damaged?.code == .storageIncomplete)
    #expect(directory.names(in: "accounts") == names)
    let backend = MemoryBackend()
    let keyring = RecordStore(
      backend: KeyringRecordBackend(backend), lockPath: "\(directory.path)/lock")
    try await keyring.save(StoredRecord(id: "x", contents: Secret(Data("1".utf8))))
    try await keyring.examine()
    backend.slots = backend.slots.filter { $0.key.kind != .record }
    let slots = backend.slots
    let missing = await failure { () throws(AuthenticationError) in try await keyring.examine() }
    #expect(backend.slots == slots)
    #expect(missing?.message.contains("missing from the token store") == true)
  }

  @Test("What is left of an account whose data is lost can be removed, by its ID")
  func lost() async throws {
    let backend = MemoryBackend()
    func newRun() throws -> PublicClientApplication {
      try TestApplication.make(
        authority,
        store: RecordStore(
          backend: KeyringRecordBackend(backend), lockPath: "\(directory.path)/lock"))
    }
    authority.willSignIn(.adele)
    let adele = try await newRun().acquireToken(
      InteractiveTokenParameters(scopes: ["User.Read"], session: authority.pages)
    ).account
    backend.slots = backend.slots.filter { $0.key.kind != .record }
    let app = try newRun()
    #expect(await app.accounts().isEmpty)
    #expect(await app.storageFailure?.code == .storageIncomplete)
    let lost = await app.lostAccounts()
    #expect(lost.map(\.id) == [adele.id])
    try await app.forget(try #require(lost.first))
    #expect(await app.lostAccounts().isEmpty)
    let next = try newRun()
    #expect(await next.accounts().isEmpty)
    #expect(await next.storageFailure == nil)
  }
}
