import CurlHTTP
public import AuthCore

/// A store in memory that can fail on demand.
public final class ScriptedStore: TokenCacheStore {
  /// The operations of a store.
  public enum Operation: Sendable, Hashable, CaseIterable {
    /// Reading all records.
    case load
    /// Writing a record.
    case save
    /// Removing a record.
    case delete
  }

  private struct State {
    var records: [String: StoredRecord] = [:]
    var failing: Set<Operation> = []
    var counts: [Operation: Int] = [:]
    var timesAllowedToAsk = 0
    var gate: (@Sendable (Operation) async -> Void)?
    var hasChanged = false
    var timesAskedForChange = 0
  }

  private let state = LockedValue(State())

  /// The store's name among all stores of this user; nil for a store of one process.
  public let lockName: String?

  /// A store that works.
  ///
  /// - Parameter lockName: its name, when it is to be one that processes share.
  public init(lockName: String? = nil) {
    self.lockName = lockName
  }

  /// Makes only these `operations` fail from now on.
  public func fail(_ operations: Operation...) {
    state.withLock { $0.failing = Set(operations) }
  }

  /// Calls `gate` before each operation, which waits for it.
  public func hold(_ gate: (@Sendable (Operation) async -> Void)?) {
    state.withLock { $0.gate = gate }
  }

  /// The contents of the store.
  public var records: [StoredRecord] {
    get { state.withLock { $0.records.values.sorted { $0.id < $1.id } } }
    set { state.withLock { $0.records = Dictionary(newValue.map { ($0.id, $0) }) { $1 } } }
  }

  /// Makes ``hasChanged`` true until the store is read.
  public func markChanged() { state.withLock { $0.hasChanged = true } }

  /// Whether another program has changed it.
  public var hasChanged: Bool {
    state.withLock { state in
      state.timesAskedForChange += 1
      return state.hasChanged
    }
  }

  /// How often somebody wanted to know whether it has changed.
  public var timesAskedForChange: Int { state.withLock { $0.timesAskedForChange } }

  /// How often an operation was called.
  public func count(_ operation: Operation) -> Int {
    state.withLock { $0.counts[operation, default: 0] }
  }

  /// How often asking the user again was allowed.
  public var timesAllowedToAsk: Int { state.withLock { $0.timesAllowedToAsk } }

  /// Counts the call.
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
