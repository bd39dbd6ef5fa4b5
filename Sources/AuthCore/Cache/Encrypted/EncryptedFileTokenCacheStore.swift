public import FoundationEssentials

/// Keeps token records in encrypted files, one account a file and its predecessor.
///
/// It is for where there is no Secret Service. It is as safe as its key: whoever has both the files and the
/// key has the accounts. A file that was copied without the key tells how many accounts there are and when
/// they were written, nothing else.
///
/// The directory and its files are their owner's alone, and refused when they are not. A write keeps the
/// record before it until it is done; another key than the one that encrypted the files opens and changes
/// nothing.
public final class EncryptedFileTokenCacheStore: TokenCacheStore {
  private let records: GenerationStore

  /// The size of a key, in bytes.
  public static let keySize = 32

  /// Opens the store in a directory.
  ///
  /// The directory does not have to be there, and is made when it is needed.
  /// - Parameters:
  ///   - directory: a directory that is this store's alone. It must not be below the user's cache directory,
  ///     which others throw away.
  ///   - key: ``keySize`` random bytes.
  public init(directory: String, key: Secret<Data>) {
    precondition(key.exposed.count == Self.keySize, "a key has \(Self.keySize) bytes")
    records = GenerationStore(
      place: EncryptedDirectory(path: directory, key: key), lockPath: "\(directory)/lock")
  }

  /// Whether another process has written to the directory since it was last read or written here.
  public var hasChanged: Bool { records.hasChanged }

  /// The directory, the same however its path was written.
  public var lockName: String? { records.lockName }

  /// What was amiss when the files were last read, though the rest could be.
  public var warning: AuthenticationError? { records.warning }

  /// All records.
  ///
  /// - Throws: ``AuthenticationError`` with code ``AuthenticationError/Code/storageUnavailable`` when a file
  ///   cannot be read, or must not be because others have access to it, or was encrypted with another key.
  public func load() async throws(AuthenticationError) -> [StoredRecord] {
    try await records.load()
  }

  /// Writes `record`; it outlasts a crash and a loss of power after that.
  public func save(_ record: StoredRecord) async throws(AuthenticationError) {
    try await records.save(record)
  }

  /// Writes all of `records`, and what tells of them once.
  public func save(_ records: [StoredRecord]) async throws(AuthenticationError) {
    try await self.records.save(records)
  }

  /// Removes the record with `id`.
  public func delete(id: String) async throws(AuthenticationError) {
    try await records.delete(id: id)
  }
}
