@testable import AuthCore
import Crypto
import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// The slots in `Tests/store/slots` were written by a version that kept two of each account.
///
/// Adele and Chris were written twice, Ben once, and Diego was removed. A byte of Chris's second
/// slot is changed, and Diego's slot is there again, as if its removal had been interrupted.
@Suite("Files take over the accounts of the slots of earlier versions")
struct TakeoverTests {
  let directory: TemporaryDirectory
  static let key = Data(repeating: 7, count: EncryptedFileTokenCacheStore.keySize)
  /// The refresh tokens in the slots.
  static let tokens = ["adele": "adele-2", "ben": "ben-1", "chris": "chris-1"]

  init() throws {
    directory = try TemporaryDirectory()
    let slots = URL(filePath: #filePath).deletingLastPathComponent().path + "/../../store/slots"
    mkdir("\(directory.path)/accounts", 0o700)
    for name in try FileManager.default.contentsOfDirectory(atPath: slots) {
      try put(try Data(contentsOf: URL(filePath: "\(slots)/\(name)")), name)
    }
  }

  func put(_ data: Data, _ name: String) throws {
    let path = "\(directory.path)/accounts/\(name)"
    try data.write(to: URL(filePath: path))
    chmod(path, 0o600)
  }

  func newStore(key: Data = key) -> EncryptedFileTokenCacheStore {
    EncryptedFileTokenCacheStore(directory: "\(directory.path)/accounts", key: Secret(key))
  }

  var names: [String] { directory.names(in: "accounts") }
  func names(_ prefix: String) -> [String] { names.filter { $0.hasPrefix(prefix) } }

  /// The bytes of all files except the lock.
  func contents() throws -> [String: Data] {
    var contents: [String: Data] = [:]
    for name in names where name != "lock" {
      contents[name] = try directory.read("accounts/\(name)")
    }
    return contents
  }

  func restore(_ contents: [String: Data]) throws {
    for name in names where name != "lock" { unlink("\(directory.path)/accounts/\(name)") }
    for (name, data) in contents { try put(data, name) }
  }

  /// The refresh tokens in the store; other records by their text.
  func tokens(_ store: EncryptedFileTokenCacheStore) async throws -> [String: String] {
    var tokens: [String: String] = [:]
    for record in try await store.load() {
      #expect(tokens[record.id] == nil)
      tokens[record.id] =
        record.account?.refreshToken?.exposed
        ?? String(decoding: record.contents.exposed, as: UTF8.self)
    }
    return tokens
  }

  func record(_ id: String, _ text: String) -> StoredRecord {
    StoredRecord(id: id, contents: Secret(Data(text.utf8)))
  }

  /// What an earlier version writes to a slot.
  func slot(_ record: StoredRecord, generation: Int, _ side: Slot.Side) throws {
    let name = Slot.Name(.record, record.id, side).file
    let envelope = SlotEnvelope(generation: generation, id: record.id, payload: record.contents)
    let file = EncryptedFile(key: Secret(Self.key))
    try put(Data(file.seal(envelope.text.exposed, name: name)), name)
  }

  @Test("They are read as they are")
  func read() async throws {
    let before = try contents()
    let store = newStore()
    try await #require(throws: AuthenticationError.self) { try await store.examine() }
    #expect(try contents() == before)
    #expect(Set(try await newStore().index().map(\.id)) == Set(Self.tokens.keys))
    #expect(
      try await newStore().load(id: "ben")?.account?.refreshToken?.exposed == Self.tokens["ben"])
    #expect(try await newStore().load(id: "nobody") == nil)
    #expect(try contents() == before)
    #expect(try await tokens(store) == Self.tokens)
    #expect(store.warning?.message.contains("the previous data is used") == true)
    #expect(names("account.").isEmpty && names("record.").count == 5)
    #expect(names("quarantine.").count == 1)
    let next = newStore()
    #expect(try await tokens(next) == Self.tokens)
    #expect(next.warning == nil)
  }

  @Test("The first write takes over all of them", arguments: [true, false])
  func firstWrite(readsBefore: Bool) async throws {
    let store = newStore()
    if readsBefore { _ = try await store.load() }
    try await store.save(record("x", "x"))
    #expect(names("account.").count == 4)
    #expect(names("index.").isEmpty && names("record.").count == 1)
    let next = newStore()
    #expect(try await tokens(next) == Self.tokens.merging(["x": "x"]) { $1 })
    #expect(next.warning == nil)
    // It is done once.
    let before = try contents()
    try await next.save(record("x", "y"))
    let changed = try contents().filter { before[$0.key] != $0.value }
    #expect(changed.count == 1)
  }

  @Test("A renewal takes over its account, and a removal all others")
  func renewalAndRemoval() async throws {
    let store = newStore()
    var chris = try #require(try await store.load().first { $0.id == "chris" }?.account)
    chris.refreshToken = Secret("renewed")
    try await store.save(StoredRecord(chris))
    #expect(try await tokens(newStore())["chris"] == "renewed")
    #expect(names("account.").count == 3)

    let second = try TakeoverTests()
    try await second.newStore().delete(id: "ben")
    let next = second.newStore()
    #expect(try await second.tokens(next) == Self.tokens.filter { $0.key != "ben" })
    #expect(next.warning == nil)
    #expect(second.names("account.").count == 2 && second.names("record.").count == 1)
  }

  @Test("A process that ends in the middle loses nothing")
  func interrupted() async throws {
    _ = try await newStore().load()
    let before = try contents()
    try await newStore().delete(id: "nobody")
    let after = try contents()
    let (made, gone) = (
      after.filter { before[$0.key] == nil }, before.keys.filter { after[$0] == nil }
    )
    let marker = try #require(made.keys.first { $0.hasPrefix("record.") })
    let files = made.filter { $0.key != marker }
    let diego = "record.ZGllZ28.a"
    let indexes = gone.filter { $0.hasPrefix("index.") }
    let slots = gone.filter { $0.hasPrefix("record.") && $0 != diego }
    #expect(files.count == 3 && indexes.count == 2 && slots.count == 4)
    // Nil for a file that is removed.
    let changes: [(String, Data?)] =
      files.map { ($0.key, $0.value) } + [(diego, nil), (marker, made[marker])]
      + (indexes + slots).map { ($0, nil) }
    var steps = [before]
    for (name, data) in changes {
      var step = steps[steps.count - 1]
      step[name] = data
      steps.append(step)
    }
    #expect(steps.last == after)
    for step in steps {
      try restore(step)
      #expect(try await tokens(newStore()) == Self.tokens)
      let store = newStore()
      try await store.save(record("x", "x"))
      #expect(try await tokens(store) == Self.tokens.merging(["x": "x"]) { $1 })
      #expect(store.warning == nil)
      #expect(names("index.").isEmpty && names("record.") == [marker])
    }
  }

  @Test("An account that was being removed does not come back")
  func beingRemoved() async throws {
    #expect(names("record.ZGllZ28.").count == 1)
    try await newStore().delete(id: "nobody")
    #expect(names("record.ZGllZ28.").isEmpty)
    #expect(try await tokens(newStore()) == Self.tokens)
  }

  @Test("The marker has the form that earlier versions take for a later one's")
  func marker() async throws {
    try await newStore().save(record("x", "x"))
    let name = try #require(names("record.").first)
    // The name of a slot: a record, its ID in base64url, one of two.
    #expect(name.wholeMatch(of: /record\.[A-Za-z0-9_-]+\.a/) != nil)
    // A valid header with another version: "entrance", the version, the ID of the key, a checksum.
    let bytes = Array(try directory.read("accounts/\(name)"))
    let keyID = Array(
      HMAC<SHA256>.authenticationCode(
        for: Data("entrance key ID".utf8), using: SymmetricKey(data: Self.key))
    ).prefix(16)
    let header = Array("entrance".utf8) + [2] + keyID
    #expect(bytes == header + Array(SHA256.hash(data: header)).prefix(8))
    // New stores have it as well.
    let other = try TemporaryDirectory()
    let store = EncryptedFileTokenCacheStore(
      directory: "\(other.path)/accounts", key: Secret(Self.key))
    try await store.save(record("x", "x"))
    #expect(try other.read("accounts/\(name)") == Data(bytes))
    #expect(try await store.load() == [record("x", "x")] && store.warning == nil)
  }

  @Test("Of what an earlier version writes later, new accounts are taken over")
  func writtenLater() async throws {
    let store = newStore()
    try await store.save(record("x", "new"))
    try slot(record("x", "old"), generation: 9, .a)
    try slot(record("y", "y"), generation: 1, .a)
    let all = Self.tokens.merging(["x": "new", "y": "y"]) { $1 }
    #expect(try await tokens(newStore()) == all)
    let next = newStore()
    try await next.save(record("z", "z"))
    #expect(names("record.").count == 1)
    #expect(try await tokens(newStore()) == all.merging(["z": "z"]) { $1 })
  }

  @Test("A wrong key changes nothing, before and after")
  func wrongKey() async throws {
    let other = Data(repeating: 8, count: EncryptedFileTokenCacheStore.keySize)
    for _ in 1...2 {
      let before = try contents()
      let store = newStore(key: other)
      for work in [
        { _ = try await store.load() }, { _ = try await store.index() },
        { try await store.save(record("x", "x")) }, { try await store.delete(id: "ben") },
      ] as [() async throws -> Void] {
        let error = await #expect(throws: AuthenticationError.self) { try await work() }
        #expect(error?.message.contains("another key or passphrase") == true)
      }
      #expect(try contents() == before)
      try await newStore().save(record("x", "x"))
    }
  }

  @Test("A slot that cannot be read stays, and the others are taken over", arguments: ["a", "b"])
  func refused(side: String) async throws {
    let ben = "\(directory.path)/accounts/record.YmVu.a"
    let adele = "\(directory.path)/accounts/record.YWRlbGU.\(side)"
    for path in [ben, adele] { chmod(path, 0o644) }
    let store = newStore()
    try await store.save(record("x", "x"))
    #expect(names("record.").count == 2 && names("account.").count == 3)
    let next = newStore()
    #expect(Set(try await tokens(next).keys) == ["adele", "chris", "x"])
    #expect(next.warning?.message.contains("“\(ben)” was refused: ") == true)
    chmod(ben, 0o600)
    let last = newStore()
    try await last.save(record("y", "y"))
    #expect(try await tokens(last)["ben"] == Self.tokens["ben"])
    #expect(last.warning == nil && names("record.").count == 1)
  }
}
