public import FoundationEssentials
import Synchronization

/// Keeps accounts and their tokens from one run to the next.
///
/// A store knows nothing of what it keeps: it holds one record an account, under an ID that says nothing.
/// A record must be there whole or not at all, whatever happens while it is written.
public protocol TokenCacheStore: Sendable {
  /// All records.
  ///
  /// - Throws: ``AuthenticationError`` with code ``AuthenticationError/Code/storageUnavailable`` when the
  ///   store is locked, absent or does not answer. That is never the same as no records.
  func load() async throws(AuthenticationError) -> [StoredRecord]

  /// Writes `record`, in place of the one with the same ID.
  func save(_ record: StoredRecord) async throws(AuthenticationError)

  /// Removes the record with `id`, if there is one.
  func delete(id: String) async throws(AuthenticationError)
}

/// A record of a ``TokenCacheStore``.
public struct StoredRecord: Sendable, Equatable, Identifiable {
  /// A random name.
  public var id: String
  /// What is kept.
  ///
  /// It holds tokens.
  public var contents: Secret<Data>

  /// Creates a record.
  public init(id: String, contents: Secret<Data>) {
    self.id = id
    self.contents = contents
  }
}

/// A store that forgets all when the process ends.
public final class MemoryTokenCacheStore: TokenCacheStore {
  private let records = Mutex<[String: StoredRecord]>([:])

  /// Creates an empty store.
  public init() {}

  /// All records.
  public func load() -> [StoredRecord] { records.withLock { Array($0.values) } }

  /// Keeps `record`.
  public func save(_ record: StoredRecord) { records.withLock { $0[record.id] = record } }

  /// Forgets the record with `id`.
  public func delete(id: String) { _ = records.withLock { $0.removeValue(forKey: id) } }
}
