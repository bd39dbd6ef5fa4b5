@testable import AuthCore
import CurlHTTP
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@Suite("Records in two slots")
struct RecordStoreTests {
  let backend = MemoryBackend()
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// Simulates another process that shares the backend.
  func newProcess() -> RecordStore {
    RecordStore(backend: KeyringRecordBackend(backend), lockPath: "\(directory.path)/lock")
  }

  func record(_ id: String, _ text: String) -> StoredRecord {
    StoredRecord(id: id, contents: Secret(Data(text.utf8)))
  }

  /// A record of an account in MSAL's schema.
  func account(_ id: String, signedIn: Int, token: String) -> StoredRecord {
    record(
      id,
      """
      {"Account":{"u.t-login.microsoftonline.com-t":{"home_account_id":"u.t",\
      "environment":"login.microsoftonline.com","realm":"t","local_account_id":"u",\
      "username":"u","authority_type":"MSSTS"}},\
      "RefreshToken":{"u.t-login.microsoftonline.com-refreshtoken-c--":{"home_account_id":"u.t",\
      "environment":"login.microsoftonline.com","client_id":"c","secret":"\(token)",\
      "credential_type":"RefreshToken"}},\
      "client_id":"c","signed_in_at":"\(signedIn)"}
      """)
  }

  func texts(_ store: RecordStore) async throws -> [String: String] {
    Dictionary(
      uniqueKeysWithValues: try await store.load().map {
        ($0.id, String(decoding: $0.contents.exposed, as: UTF8.self))
      })
  }

  func slot(_ id: String, _ side: Slot.Side) -> Slot.Name { Slot.Name(.record, id, side) }

  func generation(_ name: Slot.Name) throws -> Int {
    try SlotEnvelope(Secret(try #require(backend.slots[name]))).generation
  }

  var quarantine: [Slot.Name] {
    backend.slots.keys.filter { $0.kind == .quarantine }.sorted { $0.id < $1.id }
  }

  // MARK: - Generations

  @Test("The slots are written in turn, each with the next generation")
  func alternating() async throws {
    let store = newProcess()
    for text in ["1", "2", "3", "4", "5"] { try await store.save(record("x", text)) }
    #expect(try generation(slot("x", .a)) == 5)
    #expect(try generation(slot("x", .b)) == 4)
    #expect(try await texts(newProcess()) == ["x": "5"])
  }

  @Test("A token response is one write; a new account is one more")
  func oneWrite() async throws {
    let store = newProcess()
    _ = try await store.load()
    try await store.save(record("x", "1"))
    #expect(backend.count(.write) == 2)
    try await store.save(record("x", "2"))
    #expect(backend.count(.write) == 3)
    let (reads, lists) = (backend.count(.read), backend.count(.list))
    try await store.save(record("x", "3"))
    // Each write is read back, and nothing is listed.
    #expect(backend.count(.write) == 4)
    #expect(backend.count(.read) == reads + 1)
    #expect(backend.count(.list) == lists)
  }

  @Test("The newest valid slot is used, whatever happened to the other", arguments: 0..<4)
  func damagedSlot(kind: Int) async throws {
    let store = newProcess()
    try await store.save(record("x", "old"))
    try await store.save(record("x", "new"))
    let whole = try #require(backend.slots[slot("x", .b)])
    var text = String(decoding: whole, as: UTF8.self)
    switch kind {
    case 0: text = ""
    case 1: text = String(text.dropLast(5))
    case 2: text = text.replacing(#""gen":2"#, with: #""gen":9"#)
    default: text = "{}"
    }
    backend.slots[slot("x", .b)] = Data(text.utf8)
    let next = newProcess()
    #expect(try await texts(next) == ["x": "old"])
    #expect(next.warning?.code == .storageIncomplete)
    #expect(next.warning?.message.contains("the previous data is used") == true)
    #expect(quarantine.compactMap { backend.slots[$0] } == [Data(text.utf8)])
    #expect(backend.slots[slot("x", .b)] == nil)
    // It is reported once, and the next write works as usual.
    #expect(try await texts(next) == ["x": "old"])
    #expect(next.warning == nil)
    try await next.save(record("x", "newer"))
    #expect(try await texts(newProcess()) == ["x": "newer"])
  }

  @Test("A slot with another record's content is invalid")
  func swapped() async throws {
    let store = newProcess()
    try await store.save(record("x", "x"))
    try await store.save(record("y", "y"))
    backend.slots[slot("x", .a)] = backend.slots[slot("y", .a)]
    #expect(try await texts(newProcess()) == ["y": "y"])
    #expect(quarantine.count == 1)
  }

  @Test("A record without a valid slot is set aside and reported once; the others are unaffected")
  func damagedRecord() async throws {
    let store = newProcess()
    for id in ["x", "y"] { try await store.save(record(id, id)) }
    backend.slots[slot("x", .a)] = Data("half".utf8)
    let next = newProcess()
    #expect(try await texts(next) == ["y": "y"])
    #expect(next.warning?.message.contains("Sign in again.") == true)
    let last = newProcess()
    #expect(try await texts(last) == ["y": "y"])
    #expect(last.warning == nil)
    // Signing out still works.
    try await last.delete(id: "y")
    #expect(try await texts(newProcess()).isEmpty)
    #expect(quarantine.isEmpty)
  }

  /// A keyring that is killed may keep the names of items whose contents it had not saved yet.
  @Test(
    "A lost account is reported in each process until someone signs in",
    arguments: [[Slot.Kind.record], [.record, .index]])
  func lostContents(kinds: [Slot.Kind]) async throws {
    let store = newProcess()
    for text in ["1", "2"] { try await store.save(record("x", text)) }
    backend.lose(Set(backend.slots.keys.filter { kinds.contains($0.kind) }))
    for _ in 1...2 {
      let next = newProcess()
      #expect(try await texts(next).isEmpty)
      #expect(next.warning?.code == .storageIncomplete)
      #expect(next.warning?.message.contains("missing from the token store") == true)
      #expect(backend.slots[slot("x", .a)] != nil)
    }
    let last = newProcess()
    _ = try await last.load()
    try await last.save(record("y", "y"))
    let next = newProcess()
    #expect(try await texts(next) == ["y": "y"])
    #expect(next.warning == nil)
    #expect(backend.slots.keys.allSatisfy { $0.id != "x" })
  }

  @Test("The leftovers of an interrupted first write are not reported")
  func unfinished() async throws {
    backend.slots[slot("x", .a)] = Data()
    backend.lose([slot("x", .a)])
    let store = newProcess()
    #expect(try await texts(store).isEmpty)
    #expect(store.warning == nil)
    #expect(backend.slots[slot("x", .a)] == nil)
    try await store.save(record("y", "y"))
    backend.slots[slot("z", .a)] = Data()
    backend.lose([slot("z", .a)])
    let next = newProcess()
    #expect(try await texts(next) == ["y": "y"])
    #expect(next.warning == nil)
    #expect(backend.slots[slot("z", .a)] == nil)
  }

  @Test("At most three slots are in quarantine, and none for more than thirty days")
  func quarantineLimits() async throws {
    let day = 86400
    let now = Int(time(nil))
    for age in [40, 31, 29, 3, 2, 1] {
      backend.slots[Slot.Name(.quarantine, "\(now - age * day)-1")] = Data("x".utf8)
    }
    _ = try await newProcess().load()
    #expect(quarantine.map(\.id) == [3, 2, 1].map { "\(now - $0 * day)-1" })
    backend.slots = [
      Slot.Name(.quarantine, "\(now - 31 * day)-1"): Data(),
      Slot.Name(.quarantine, "\(now - 29 * day)-1"): Data(),
    ]
    _ = try await newProcess().load()
    #expect(quarantine.map(\.id) == ["\(now - 29 * day)-1"])
  }

  @Test("A record of a later version is neither read nor overwritten")
  func laterVersion() async throws {
    try await newProcess().save(record("x", "1"))
    let later = Data(#"{"v":2,"something":"else"}"#.utf8)
    backend.slots[slot("x", .b)] = later
    let store = newProcess()
    #expect(try await texts(store) == ["x": "1"])
    #expect(store.warning?.message.contains("newer version") == true)
    let error = await #expect(throws: AuthenticationError.self) {
      try await store.save(record("x", "2"))
    }
    #expect(error?.message.contains("newer version") == true)
    #expect(backend.slots[slot("x", .b)] == later)
    #expect(quarantine.isEmpty)
    try await store.save(record("y", "y"))
    #expect(try await texts(newProcess()) == ["x": "1", "y": "y"])
  }

  // MARK: - Faults

  @Test("A write that cannot be read back is an error, and loses nothing")
  func readBack() async throws {
    let store = newProcess()
    try await store.save(record("x", "1"))
    let (backend, target) = (backend, slot("x", .b))
    backend.afterWrite { if $0 == target { backend.slots[target] = Data("torn".utf8) } }
    let error = await #expect(throws: AuthenticationError.self) {
      try await store.save(record("x", "2"))
    }
    #expect(error?.code == .storageUnavailable)
    backend.afterWrite(nil)
    #expect(try await texts(newProcess()) == ["x": "1"])
    try await store.save(record("x", "3"))
    #expect(try await texts(newProcess()) == ["x": "3"])
  }

  @Test("After a read error, nothing is removed or set aside")
  func readError() async throws {
    let store = newProcess()
    try await store.save(record("x", "1"))
    backend.slots[slot("x", .b)] = Data("half".utf8)
    let before = backend.slots
    backend.fail(.list, .read)
    for _ in 1...2 {
      await #expect(throws: AuthenticationError.self) { _ = try await newProcess().load() }
      await #expect(throws: AuthenticationError.self) { try await newProcess().delete(id: "x") }
      await #expect(throws: AuthenticationError.self) {
        try await newProcess().save(record("x", "2"))
      }
    }
    #expect(backend.slots == before)
  }

  @Test("A read-only backend can be read")
  func readOnly() async throws {
    try await newProcess().save(record("x", "1"))
    backend.slots[slot("y", .a)] = Data("half".utf8)
    backend.fail(.write, .delete)
    let store = newProcess()
    #expect(try await texts(store) == ["x": "1"])
    #expect(backend.slots[slot("y", .a)] != nil)
    await #expect(throws: AuthenticationError.self) { try await store.save(record("x", "2")) }
    backend.fail()
    try await store.save(record("x", "3"))
    #expect(try await texts(newProcess()) == ["x": "3"])
  }

  @Test("Sign-out works on a full disk")
  func deleteWithoutRoom() async throws {
    let store = newProcess()
    try await store.save(record("x", "1"))
    backend.fail(.write)
    await #expect(throws: AuthenticationError.self) { try await store.delete(id: "x") }
    #expect(backend.slots[slot("x", .a)] == nil)
    backend.fail()
    try await store.delete(id: "x")
    let next = newProcess()
    #expect(try await texts(next).isEmpty)
    #expect(next.warning == nil)
  }

  // MARK: - Missing records

  @Test("A record that the backend does not show is reported as missing, and comes back")
  func missing() async throws {
    let store = newProcess()
    for id in ["x", "y"] { try await store.save(record(id, id)) }
    backend.hide([slot("x", .a)])
    let next = newProcess()
    #expect(try await texts(next) == ["y": "y"])
    #expect(next.warning?.message.contains("missing from the token store") == true)
    _ = try await next.load()
    #expect(next.warning == nil)
    backend.hide([])
    #expect(try await texts(newProcess()) == ["x": "x", "y": "y"])
    // A sign-in means that the record is not expected back; if it reappears, it is used.
    backend.hide([slot("x", .a)])
    _ = try await next.load()
    try await next.save(record("z", "z"))
    let last = newProcess()
    #expect(try await texts(last) == ["y": "y", "z": "z"])
    #expect(last.warning == nil)
    backend.hide([])
    #expect(try await texts(newProcess()) == ["x": "x", "y": "y", "z": "z"])
  }

  @Test("With a missing or damaged index, every record is found")
  func noIndex() async throws {
    let store = newProcess()
    for id in ["x", "y"] { try await store.save(record(id, id)) }
    for contents in [nil, Data("half".utf8)] {
      for name in backend.slots.keys where name.kind == .index { backend.slots[name] = contents }
      let next = newProcess()
      #expect(try await texts(next) == ["x": "x", "y": "y"])
      try await next.save(record("x", "x"))
      backend.hide([slot("y", .a), slot("y", .b)])
      let last = newProcess()
      _ = try await last.load()
      #expect(last.warning?.message.contains("missing from the token store") == true)
      backend.hide([])
    }
  }

  @Test("A record in the old format is replaced after the new one is written")
  func migration() async throws {
    let old = Slot.Name(.record, "x")
    backend.slots[old] = Data("old".utf8)
    let store = newProcess()
    #expect(try await texts(store) == ["x": "old"])
    #expect(store.warning == nil)
    backend.fail(.write)
    await #expect(throws: AuthenticationError.self) { try await store.save(record("x", "new")) }
    #expect(backend.slots == [old: Data("old".utf8)])
    backend.fail(.delete)
    await #expect(throws: AuthenticationError.self) { try await store.save(record("x", "new")) }
    #expect(try await texts(newProcess()) == ["x": "new"])
    backend.fail()
    try await store.save(record("x", "newer"))
    #expect(backend.slots[old] == nil)
    #expect(try await texts(newProcess()) == ["x": "newer"])
  }
}
