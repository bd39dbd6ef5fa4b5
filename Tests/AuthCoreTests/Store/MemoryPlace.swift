@testable import AuthCore
import CurlHTTP
import FoundationEssentials

/// A place in memory that can be made to fail, and be looked into.
final class MemoryPlace: BlobPlace {
  /// What can be asked of a place.
  enum Operation: Sendable, Hashable {
    case prepare, list, read, write, delete
  }

  private struct State: Sendable {
    var blobs: [Blob.Name: Secret<Data>] = [:]
    var failing: Set<Operation> = []
    var hidden: Set<Blob.Name> = []
    var lost: Set<Blob.Name> = []
    var asked: [Operation: Int] = [:]
    var afterWrite: (@Sendable (Blob.Name) -> Void)?
  }

  private let state = LockedValue(State())

  /// What is in it.
  var blobs: [Blob.Name: Data] {
    get { state.withLock { $0.blobs.mapValues(\.exposed) } }
    set { state.withLock { $0.blobs = newValue.mapValues { Secret($0) } } }
  }

  /// Makes operations fail from now on, and all others work.
  func fail(_ operations: Operation...) { state.withLock { $0.failing = Set(operations) } }

  /// Does not show these from now on, as a service that lies.
  func hide(_ names: Set<Blob.Name>) { state.withLock { $0.hidden = names } }

  /// Has no contents of these until they are written again, as a keyring that was killed.
  func lose(_ names: Set<Blob.Name>) { state.withLock { $0.lost = names } }

  /// How often an operation was asked for.
  func count(_ operation: Operation) -> Int { state.withLock { $0.asked[operation] ?? 0 } }

  /// Is called when something was written.
  func afterWrite(_ body: (@Sendable (Blob.Name) -> Void)?) {
    state.withLock { $0.afterWrite = body }
  }

  func prepare() throws(AuthenticationError) { try begin(.prepare) }

  func list() throws(AuthenticationError) -> [Blob] {
    try begin(.list)
    return shown
  }

  func read(_ kind: Blob.Kind, _ id: String) throws(AuthenticationError) -> [Blob] {
    try begin(.read)
    return shown.filter { $0.name.kind == kind && $0.name.id == id }
  }

  func write(_ data: Secret<Data>, as name: Blob.Name) throws(AuthenticationError) {
    try begin(.write)
    let hook = state.withLock { state in
      state.blobs[name] = data
      state.lost.remove(name)
      return state.afterWrite
    }
    hook?(name)
  }

  func delete(_ name: Blob.Name) throws(AuthenticationError) {
    try begin(.delete)
    _ = state.withLock { $0.blobs.removeValue(forKey: name) }
  }

  private var shown: [Blob] {
    state.withLock { state in
      state.blobs.filter { !state.hidden.contains($0.key) }
        .map {
          let isLost = state.lost.contains($0.key)
          return Blob(
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
      throw AuthenticationError(.storageUnavailable, "The place is out of order.", step: .storage)
    }
  }
}
