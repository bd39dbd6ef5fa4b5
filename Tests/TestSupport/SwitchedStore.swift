import CurlHTTP
public import AuthCore

/// A store in memory that can be made to fail.
public final class SwitchedStore: TokenCacheStore {
  /// What can be asked of a store.
  public enum Operation: Sendable, Hashable, CaseIterable {
    /// Reading all records.
    case load
    /// Writing one.
    case save
    /// Removing one.
    case delete
  }

  private struct State {
    var records: [String: StoredRecord] = [:]
    var failing: Set<Operation> = []
    var counts: [Operation: Int] = [:]
    var timesAllowedToAsk = 0
    var gate: (@Sendable (Operation) async -> Void)?
    var hasChanged = false
  }

  private let state = LockedValue(State())

  /// A store that works.
  public init() {}

  /// Makes `operations` fail from now on, and all others work.
  public func fail(_ operations: Operation...) {
    state.withLock { $0.failing = Set(operations) }
  }

  /// Calls `gate` before each operation; what it waits for, the operation waits for.
  public func hold(_ gate: (@Sendable (Operation) async -> Void)?) {
    state.withLock { $0.gate = gate }
  }

  /// What is in the store.
  public var records: [StoredRecord] {
    get { state.withLock { $0.records.values.sorted { $0.id < $1.id } } }
    set { state.withLock { $0.records = Dictionary(newValue.map { ($0.id, $0) }) { $1 } } }
  }

  /// Says that another program has changed it, until it is read.
  public func tellOfChange() { state.withLock { $0.hasChanged = true } }

  /// Whether it was told so.
  public var hasChanged: Bool { state.withLock { $0.hasChanged } }

  /// How often an operation was asked for.
  public func count(_ operation: Operation) -> Int {
    state.withLock { $0.counts[operation, default: 0] }
  }

  /// How often the store was allowed to ask the person again.
  public var timesAllowedToAsk: Int { state.withLock { $0.timesAllowedToAsk } }

  /// Counts.
  public func allowAskingAgain() { state.withLock { $0.timesAllowedToAsk += 1 } }

  /// All records.
  public func load() async throws(AuthenticationError) -> [StoredRecord] {
    try await begin(.load)
    return state.withLock { state in
      state.hasChanged = false
      return state.records.values.sorted { $0.id < $1.id }
    }
  }

  /// Writes a record.
  public func save(_ record: StoredRecord) async throws(AuthenticationError) {
    try await begin(.save)
    state.withLock { $0.records[record.id] = record }
  }

  /// Removes a record.
  public func delete(id: String) async throws(AuthenticationError) {
    try await begin(.delete)
    _ = state.withLock { $0.records.removeValue(forKey: id) }
  }

  private func begin(_ operation: Operation) async throws(AuthenticationError) {
    let gate = state.withLock { state in
      state.counts[operation, default: 0] += 1
      return state.gate
    }
    await gate?(operation)
    let fails = state.withLock { $0.failing.contains(operation) }
    guard !fails, !Task.isCancelled else {
      throw AuthenticationError(
        .storageUnavailable, "The store of this test is locked.", step: .storage)
    }
  }
}
