import FoundationEssentials

/// Keeps accounts in a file in MSAL's unified schema, which MSAL for Python, .NET, Go, Node and Java read
/// and write, too.
///
/// It is a plain file. Only its owner can open it (mode 0600), but that is everyone who runs a program as
/// that person, whoever gets hold of the disk or of a backup, and the administrator: all of them can take
/// the tokens in it and be that person. Where there is a Secret Service, keep accounts there.
///
/// Programs that share the file take turns by a lock beside it, `<path>.lockfile`, and each finds what the
/// others have written. Reading changes nothing; a write puts a whole new file in place of the old one. A file
/// that is no token cache is refused and left as it is, and one that others could have written is not read at
/// all.
public final class FileTokenCacheStore: TokenCacheStore, SharedTokenCacheStore {
  package let cache: SharedTokenCache

  /// Opens the store in the file at `path`.
  ///
  /// Neither the file nor its directory has to be there; they are made when an account is kept.
  public init(path: String) {
    cache = SharedTokenCache(at: CacheFile(path: path))
  }

  /// Whether the file is another than the one that was read or written last.
  public var hasChanged: Bool { cache.hasChanged }

  /// The file's path, the same however it was written.
  public var lockName: String? { cache.lockName }

  /// All accounts in the file, those of all apps.
  ///
  /// - Throws: ``AuthenticationError`` with code ``AuthenticationError/Code/storageUnavailable`` when the
  ///   file cannot be read, or must not be because others have access to it, or is no token cache.
  public func load() async throws(AuthenticationError) -> [StoredRecord] {
    try await cache.load()
  }

  /// Writes what has changed of an account.
  public func save(_ record: StoredRecord) async throws(AuthenticationError) {
    try await cache.save(record)
  }

  /// Removes what the account's app has of it, and the account when no other app has anything of it.
  public func delete(id: String) async throws(AuthenticationError) {
    try await cache.delete(id: id)
  }
}

extension CacheFile: TokenCachePlace {
  package var name: String { "token cache '\(path)'" }

  package var isItsOwnSignal: Bool { true }

  package func open() {}
}
