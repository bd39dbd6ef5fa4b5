import CurlHTTP

/// A store in memory; its content is lost when the process ends.
public final class MemoryTokenCacheStore: TokenCacheStore {
  private let records = LockedValue<[String: StoredRecord]>([:])

  /// Creates an empty store.
  public init() {}

  /// All records.
  public func load() -> [StoredRecord] { records.withLock { Array($0.values) } }

  /// Stores `record`.
  public func save(_ record: StoredRecord) { records.withLock { $0[record.id] = record } }

  /// Removes the record with `id`.
  public func delete(id: String) { _ = records.withLock { $0.removeValue(forKey: id) } }
}
