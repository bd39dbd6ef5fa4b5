@testable import AuthCore
import CurlHTTP
import FoundationEssentials

/// A backend in memory that can fail on demand, and be inspected.
final class MemoryBackend: SlotBackend {
  /// The operations of a backend.
  enum Operation: Sendable, Hashable {
    case prepare, list, read, write, delete
  }

  private struct State: Sendable {
    var slots: [Slot.Name: Secret<Data>] = [:]
    var failing: Set<Operation> = []
    var hidden: Set<Slot.Name> = []
    var lost: Set<Slot.Name> = []
    var asked: [Operation: Int] = [:]
    var readKinds: [Slot.Kind] = []
    var afterWrite: (@Sendable (Slot.Name) -> Void)?
  }

  private let state = LockedValue(State())

  /// The contents.
  var slots: [Slot.Name: Data] {
    get { state.withLock { $0.slots.mapValues(\.exposed) } }
    set { state.withLock { $0.slots = newValue.mapValues { Secret($0) } } }
  }

  /// Makes only these operations fail from now on.
  func fail(_ operations: Operation...) { state.withLock { $0.failing = Set(operations) } }

  /// Hides these slots from now on, like a faulty service.
  func hide(_ names: Set<Slot.Name>) { state.withLock { $0.hidden = names } }

  /// Loses the contents of these slots until they are written again, like a keyring that was
  /// killed.
  func lose(_ names: Set<Slot.Name>) { state.withLock { $0.lost = names } }

  /// How often an operation was called.
  func count(_ operation: Operation) -> Int { state.withLock { $0.asked[operation] ?? 0 } }

  /// The kinds of the slots read by name since the last call, in order.
  func takeReadKinds() -> [Slot.Kind] {
    state.withLock { state in
      defer { state.readKinds = [] }
      return state.readKinds
    }
  }

  /// Sets a function that is called after each write.
  func afterWrite(_ body: (@Sendable (Slot.Name) -> Void)?) {
    state.withLock { $0.afterWrite = body }
  }

  func prepare() throws(AuthenticationError) { try begin(.prepare) }

  func allowAskingAgain() {}

  func list() throws(AuthenticationError) -> [Slot] {
    try begin(.list)
    return shown
  }

  func read(_ kind: Slot.Kind, _ id: String) throws(AuthenticationError) -> [Slot] {
    try begin(.read)
    state.withLock { $0.readKinds.append(kind) }
    return shown.filter { $0.name.kind == kind && $0.name.id == id }
  }

  func write(_ data: Secret<Data>, as name: Slot.Name) throws(AuthenticationError) {
    try begin(.write)
    let hook = state.withLock { state in
      state.slots[name] = data
      state.lost.remove(name)
      return state.afterWrite
    }
    hook?(name)
  }

  func delete(_ name: Slot.Name) throws(AuthenticationError) {
    try begin(.delete)
    _ = state.withLock { $0.slots.removeValue(forKey: name) }
  }

  private var shown: [Slot] {
    state.withLock { state in
      state.slots.filter { !state.hidden.contains($0.key) }
        .map {
          let isLost = state.lost.contains($0.key)
          return Slot(
            name: $0.key, contents: isLost ? .damaged(Secret(Data())) : .data($0.value))
        }
    }
  }

  private func begin(_ operation: Operation) throws(AuthenticationError) {
    let fails = state.withLock { state in
      state.asked[operation, default: 0] += 1
      return state.failing.contains(operation)
    }
    if fails {
      throw AuthenticationError(.storageUnavailable, "The backend is out of order.", step: .storage)
    }
  }
}
