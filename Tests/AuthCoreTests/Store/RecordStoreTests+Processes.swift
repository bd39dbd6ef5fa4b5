@testable import AuthCore
import CurlHTTP
import FoundationEssentials
import TestSupport
import Testing

extension RecordStoreTests {
  @Test("Another process's write is detected, and its own is not")
  func hasChanged() async throws {
    let (one, other) = (newProcess(), newProcess())
    for store in [one, other] { _ = try await store.load() }
    #expect(!one.hasChanged && !other.hasChanged)
    try await one.save(record("x", "1"))
    #expect(!one.hasChanged && other.hasChanged)
    #expect(try await texts(other) == ["x": "1"])
    #expect(!other.hasChanged)
    try await other.save(record("x", "2"))
    try await one.save(record("y", "1"))
    // It has not seen all of the other's writes.
    #expect(one.hasChanged)
    #expect(try await texts(one) == ["x": "2", "y": "1"])
    try await one.delete(id: "y")
    #expect(!one.hasChanged && other.hasChanged)
    _ = try await other.load()
    _ = try await newProcess().load()
    #expect(!one.hasChanged && !other.hasChanged)
  }

  @Test("A write continues from the generations of another process")
  func generationsOfOthers() async throws {
    let (one, other) = (newProcess(), newProcess())
    try await one.save(record("x", "1"))
    for text in ["2", "3", "4"] { try await other.save(record("x", text)) }
    try await one.save(record("x", "5"))
    #expect(try generation(slot("x", .a)) == 5)
    #expect(try generation(slot("x", .b)) == 4)
    #expect(try await texts(other) == ["x": "5"])
  }

  @Test("A renewal does not restore an account that another process has removed")
  func removedElsewhere() async throws {
    let (one, other) = (newProcess(), newProcess())
    try await one.save(account("x", signedIn: 1, token: "first"))
    _ = try await other.load()
    try await one.delete(id: "x")
    try await other.save(account("x", signedIn: 1, token: "renewed"))
    #expect(try await other.load().isEmpty)
    #expect(try await newProcess().load().isEmpty)
    // Even if it has read the backend meanwhile.
    try await other.save(account("x", signedIn: 1, token: "renewed"))
    #expect(other.hasChanged)
    #expect(try await newProcess().load().isEmpty)
  }

  @Test("A new sign-in restores an account that another process has removed")
  func signedInAgain() async throws {
    let (one, other) = (newProcess(), newProcess())
    try await one.save(account("x", signedIn: 1, token: "first"))
    _ = try await other.load()
    try await one.delete(id: "x")
    let again = account("x", signedIn: 2, token: "second")
    try await other.save(again)
    #expect(try await newProcess().load() == [again])
  }

  @Test("A process can write a record again that it has removed itself")
  func savedAgain() async throws {
    let store = newProcess()
    try await store.save(record("x", "1"))
    try await store.delete(id: "x")
    try await store.save(record("x", "2"))
    #expect(try await texts(newProcess()) == ["x": "2"])
  }

  @Test("An interrupted removal is completed by the next process")
  func removalCutShort() async throws {
    let store = newProcess()
    try await store.save(record("x", "1"))
    try await store.save(record("y", "1"))
    backend.fail(.delete)
    await #expect(throws: AuthenticationError.self) { try await store.delete(id: "x") }
    backend.fail()
    #expect(try await texts(newProcess()) == ["y": "1"])
    #expect(backend.slots[slot("x", .a)] == nil)
  }

  @Test("Many concurrent processes: every record has its last generation", .timeLimit(.minutes(5)))
  func manyAtOnce() async throws {
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<8 {
        group.addTask { [store = newProcess()] in
          for text in 1...20 {
            let next = record("\(number)", "\(text)")
            // A write that gets no turn in five seconds fails, and is repeated.
            while (try? await store.save(next)) == nil, !Task.isCancelled {}
          }
        }
      }
    }
    let texts = try await texts(newProcess())
    #expect(texts == Dictionary(uniqueKeysWithValues: (0..<8).map { ("\($0)", "20") }))
  }

  @Test("A record is compared under the lock before it is removed", arguments: ["1", "2"])
  func comparison(text: String) async throws {
    let path = "\(directory.path)/lock"
    let backend = BusyBackend(record("x", "1"), lockPath: path)
    try await RecordStore(backend: backend, lockPath: path)
      .delete(id: "x", ifStill: record("x", text).contents)
    let rest = backend.record.withLock { $0 }.map {
      String(decoding: $0.contents.exposed, as: UTF8.self)
    }
    #expect(rest == (text == "1" ? nil : "1"))
  }

  @Test("While another process holds the lock, reads work, and a write fails")
  func lockIsHeld() async throws {
    try await newProcess().save(record("x", "1"))
    let lock = try await FileLock.take(
      "store", in: "\(directory.path)/lock", timeout: .zero)
    let store = newProcess()
    async let reading = texts(store)
    async let error = #expect(throws: AuthenticationError.self) {
      try await newProcess().save(record("x", "2"))
    }
    #expect(try await reading == ["x": "1"])
    #expect(await error?.message.contains("another program has held its lock") == true)
    lock.announce()
  }
}

/// A backend with one record, which another process renews as soon as it was read without the lock.
private final class BusyBackend: RecordBackend {
  let record: LockedValue<StoredRecord?>
  private let lockPath: String

  init(_ record: StoredRecord, lockPath: String) {
    self.record = LockedValue(record)
    self.lockPath = lockPath
  }

  func prepare() {}

  func list() -> RecordListing {
    RecordListing(records: record.withLock { $0 }.map { [$0] } ?? [])
  }

  func index(isCurrent: Bool) -> [RecordEntry]? { nil }

  func read(_ id: String) async -> StoredRecord? {
    let known = record.withLock { $0 }
    if let lock = try? await FileLock.take("store", in: lockPath, timeout: .zero) {
      record.withLock { $0 = StoredRecord(id: id, contents: Secret(Data("renewed".utf8))) }
      lock.announce()
    }
    return known
  }

  func write(_ records: [StoredRecord], isCurrent: Bool) -> Bool { false }

  func delete(_ id: String, isCurrent: Bool) { record.withLock { $0 = nil } }

  var lost: [LostAccount] { [] }
}
