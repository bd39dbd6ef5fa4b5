import AuthCore
import FoundationEssentials
import Glibc
import Sentences
import TestSupport
import Testing

@Suite("The key of encrypted files")
struct StoreKeyTests {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    try FileManager.default.createDirectory(
      atPath: "\(directory.path)/credentials", withIntermediateDirectories: false)
  }

  func store() -> ChosenStore {
    ChosenStore(
      setting: .encryptedFile, directory: directory.path,
      credentials: "\(directory.path)/credentials")
  }

  func write(_ contents: some Sequence<UInt8>, to name: String, mode: mode_t = 0o600) throws {
    try Data(contents).write(to: URL(filePath: "\(directory.path)/\(name)"))
    #expect(chmod("\(directory.path)/\(name)", mode) == 0)
  }

  let record = StoredRecord(id: "random", contents: Secret(Data("what is kept".utf8)))

  /// The store with a given key.
  func opened(with key: some Sequence<UInt8>) -> EncryptedFileTokenCacheStore {
    EncryptedFileTokenCacheStore(directory: "\(directory.path)/accounts", key: Secret(Data(key)))
  }

  func unlock(_ passphrase: String) async -> AuthenticationError? {
    do throws(AuthenticationError) {
      try await store().unlock(with: Secret(passphrase))
      return nil
    } catch {
      return error
    }
  }

  // MARK: - systemd credentials

  /// Output of `openssl rand 32 | base64`.
  static let base64 = "RGAzz8WGzAFMXhq97Ll9KkS0Cyw6vYAGAzvRvO8eVFc="

  @Test(
    "A credential of 32 bytes, or their base64 text, is the key",
    arguments: [
      Data(base64Encoded: base64)!, Data(base64.utf8), Data((base64 + "\n").utf8),
    ])
  func credential(contents: Data) async throws {
    try write(contents, to: "credentials/entrance.store-key", mode: 0o400)
    let store = store()
    #expect(await store.choice.kind == .encryptedFile)
    #expect(await store.choice.passphrase == .notNeeded)
    #expect(await store.choice.sentence.description.contains("credentials/entrance.store-key"))
    try await store.save(record)
    let key = try #require(Data(base64Encoded: Self.base64))
    #expect(try await opened(with: key).load() == [record])
  }

  @Test(
    "A credential that others can read is rejected, without a fallback",
    arguments: [0o604, 0o640, 0o660, 0o444] as [mode_t])
  func openCredential(mode: mode_t) async throws {
    // If the tests run as root, root's files may have an access control list instead.
    let mode = geteuid() == 0 ? mode | 0o004 : mode
    try write(Data(base64Encoded: Self.base64)!, to: "credentials/entrance.store-key", mode: mode)
    let choice = await store().choice
    #expect(choice.kind == .memory)
    #expect(choice.passphrase == .notNeeded)
    #expect(choice.sentence.description.contains("others can read"))
    let error = await #expect(throws: AuthenticationError.self) { try await store().load() }
    #expect(error?.code == .storageUnavailable)
  }

  @Test("A credential of another length, or that is no file, is rejected")
  func strangeCredential() async throws {
    for contents in ["", "short", String(repeating: "A", count: 40), Self.base64 + "AAAA"] {
      try write(contents.utf8, to: "credentials/entrance.store-key")
      #expect(
        await store().choice.sentence.description.contains("neither 32 bytes nor the base64 text"))
    }
    let path = "\(directory.path)/credentials/entrance.store-key"
    unlink(path)
    #expect(mkfifo(path, 0o600) == 0)
    #expect(await store().choice.sentence.description.contains("not a regular file"))
    unlink(path)
    #expect(symlink("\(directory.path)/elsewhere", path) == 0)
    try write(Data(base64Encoded: Self.base64)!, to: "elsewhere")
    #expect(await store().choice.sentence.description.contains("cannot be opened"))
  }

  @Test("Without the credential, a new passphrase cannot replace its encrypted files")
  func goneCredential() async throws {
    try write(Self.base64.utf8, to: "credentials/entrance.store-key")
    try await store().save(record)
    unlink("\(directory.path)/credentials/entrance.store-key")
    let choice = await store().choice
    #expect(choice.kind == .encryptedFile)
    #expect(choice.passphrase == .notNeeded)
    #expect(choice.sentence.description.contains("with a key that is not available"))
    let error = await #expect(throws: AuthenticationError.self) { try await store().load() }
    #expect(error?.code == .storageUnavailable)
    #expect(error?.message.contains("“\(directory.path)/passphrase.json”") == true)
    #expect(error?.message.contains("mv \"\(directory.path)\"") == true)
    #expect(await unlock("correct horse")?.message == error?.message)
  }

  // MARK: - Passphrases

  /// Python's `hashlib.scrypt` of "correct horse" with the salt bytes 0 to 31, 64 bytes, n 1024, r
  /// 8, p 1: the second half is the check.
  static let header = """
    {"version": 1, "function": "scrypt", "n": 1024, "r": 8, "p": 1,
     "salt": "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8",
     "check": "vTuXbdklhcRvd51KWvbkR5ZaND6eFz5qzxQ1x84RNs4"}
    """
  /// The first half, in base64.
  static let key = "H6E0iFSBip5OkDfQQUjXm/gO58zIlWQZmVeip4NTL4A="

  @Test("A passphrase gives the same key as in another scrypt implementation")
  func derivation() async throws {
    try write(Self.header.utf8, to: "passphrase.json")
    let key = try #require(Data(base64Encoded: Self.key))
    try await opened(with: key).save(record)
    let store = store()
    #expect(await store.choice.passphrase == .known)
    try await store.unlock(with: Secret("correct horse"))
    #expect(try await store.load() == [record])
  }

  @Test(
    "A wrong passphrase is reported immediately, and changes nothing",
    arguments: ["correct horse ", "Correct horse", "", "\u{0}"])
  func wrong(passphrase: String) async throws {
    try write(Self.header.utf8, to: "passphrase.json")
    let key = try #require(Data(base64Encoded: Self.key))
    try await opened(with: key).save(record)
    #expect(await unlock(passphrase)?.code == .wrongPassphrase)
    #expect(try directory.read("passphrase.json") == Data(Self.header.utf8))
    #expect(try await opened(with: key).load() == [record])
    // An account that was signed out was encrypted with it, too.
    try await opened(with: key).delete(id: record.id)
    #expect(await unlock(passphrase)?.code == .wrongPassphrase)
    #expect(try directory.read("passphrase.json") == Data(Self.header.utf8))
  }

  @Test("A new passphrase replaces one with which nothing was encrypted")
  func unused() async throws {
    #expect(await unlock("first passphrase") == nil)
    #expect(await store().choice.passphrase == .new)
    #expect(await unlock("short")?.code == .invalidParameter)
    #expect(await unlock("second passphrase") == nil)
    #expect(await unlock("third passphrase") == nil)
    let header = try directory.read("passphrase.json")
    // It need not be replaced by itself.
    let store = store()
    try await store.unlock(with: Secret("third passphrase"))
    #expect(try directory.read("passphrase.json") == header)
    try await store.save(record)
    #expect(await self.store().choice.passphrase == .known)
    #expect(await unlock("second passphrase")?.code == .wrongPassphrase)
    #expect(try directory.read("passphrase.json") == header)
  }

  @Test("What was unlocked with a passphrase that was replaced keeps nothing")
  func replacedMeanwhile() async throws {
    let (first, second) = (store(), store())
    try await first.unlock(with: Secret("first passphrase"))
    try await second.unlock(with: Secret("second passphrase"))
    let error = await #expect(throws: AuthenticationError.self) { try await first.save(record) }
    #expect(error?.code == .storageUnavailable)
    #expect(error?.message.contains("another passphrase has been set meanwhile") == true)
    #expect(await unlock("first passphrase") == nil, "nothing was kept")
    #expect(await unlock("second passphrase") == nil)
    let last = store()
    try await last.unlock(with: Secret("second passphrase"))
    try await last.save(record)
    #expect(try await last.load() == [record])
    await #expect(throws: AuthenticationError.self) { try await first.save(record) }
    #expect(try await last.load() == [record])
  }

  @Test("A new passphrase needs at least eight characters")
  func short() async {
    for passphrase in ["", "1234567", "äöüäöüä"] {
      #expect(await unlock(passphrase)?.code == .invalidParameter)
    }
    #expect(directory.names == ["credentials"])
  }

  @Test(
    "A new passphrase uses OWASP's parameters, a new salt, and a private file"
  )
  func new() async throws {
    #expect(await unlock("äöüäöüäö") == nil)
    let header = try JSON(parsing: directory.read("passphrase.json"))
    #expect(header["version"]?.integer == 1)
    #expect(header["function"]?.string == "scrypt")
    #expect(header["n"]?.integer == 131072)
    #expect(header["r"]?.integer == 8)
    #expect(header["p"]?.integer == 1)
    #expect(Base64URL.decode(header["salt"]?.string ?? "")?.count == 32)
    #expect(Base64URL.decode(header["check"]?.string ?? "")?.count == 32)
    #expect(directory.mode("passphrase.json") == 0o600)
  }

  @Test("Of passphrases that are set concurrently, one is used")
  func race() async throws {
    let stores = (1...3).map { _ in store() }
    // None of them has seen the passphrase of another one.
    for store in stores { #expect(await store.choice.passphrase == .new) }
    let outcomes = await withTaskGroup(of: AuthenticationError.Code?.self) { group in
      for (number, store) in stores.enumerated() {
        group.addTask {
          do throws(AuthenticationError) {
            try await store.unlock(with: Secret("passphrase \(number)"))
            return nil
          } catch {
            return error.code
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(outcomes.count { $0 == nil } == 1)
    #expect(outcomes.count { $0 == .wrongPassphrase } == 2)
  }

  @Test(
    "A damaged or too expensive header is reported, and never overwritten",
    arguments: [
      "", "{", "[]", "null",
      header.replacing("\"version\": 1", with: "\"version\": 2"),
      header.replacing("scrypt", with: "argon2id"),
      header.replacing("1024", with: "1023"), header.replacing("1024", with: "0"),
      header.replacing("1024", with: "1"), header.replacing("1024", with: "-1024"),
      header.replacing("1024", with: "1073741824"), header.replacing("1024", with: "2097152"),
      // Half a minute and 1 GB.
      header.replacing("1024", with: "1048576"), header.replacing("1024", with: "524288"),
      header.replacing("\"r\": 8", with: "\"r\": 0"),
      header.replacing("\"p\": 1", with: "\"p\": 1000000000"),
      header.replacing("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8", with: "AAEC"),
      header.replacing("vTuXbdklhcRvd51KWvbkR5ZaND6eFz5qzxQ1x84RNs4", with: "vTuX"),
      header.replacing("\"salt\"", with: "\"sult\""),
    ])
  func damaged(text: String) async throws {
    try write(text.utf8, to: "passphrase.json")
    let error = await unlock("correct horse")
    #expect(error?.code == .storageUnavailable)
    #expect(error?.message.contains("passphrase.json") == true)
    #expect(error?.message.contains("damaged") == true)
    #expect(try directory.read("passphrase.json") == Data(text.utf8))
  }

  @Test("A header that others could have written is rejected")
  func openHeader() async throws {
    try write(Self.header.utf8, to: "passphrase.json", mode: 0o644)
    let error = await unlock("correct horse")
    #expect(error?.code == .storageUnavailable)
    #expect(error?.message.contains("others can read or write it") == true)
  }

  @Test("A directory that is not writable is reported")
  func readOnly() async throws {
    let file = "\(directory.path)/file"
    try write("".utf8, to: "file")
    let store = ChosenStore(setting: .encryptedFile, directory: "\(file)/x", credentials: "/none")
    let error = await #expect(throws: AuthenticationError.self) {
      try await store.unlock(with: Secret("correct horse"))
    }
    #expect(error?.code == .storageUnavailable)
  }
}
