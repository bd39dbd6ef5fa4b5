public import FoundationEssentials
import Sentences

/// Keeps account records in encrypted files, one for each account.
///
/// Use it where there is no Secret Service. It is as safe as its key: whoever has both the files
/// and the key has the accounts. Copied files without the key reveal only how many accounts there
/// are and when they were written.
///
/// The directory and its files must be accessible only to their owner; otherwise they are rejected.
/// A write replaces a file when the new one is complete. A wrong key opens and changes nothing.
public final class EncryptedFileTokenCacheStore: ForwardingStore {
  package let target: any TokenCacheStore
  package var knownTarget: (any TokenCacheStore)? { target }

  /// The size of a key, in bytes.
  public static let keySize = 32

  /// Creates a store in a directory.
  ///
  /// The directory is created when it is needed. With a key of another size, each use throws an error
  /// with code ``AuthenticationError/Code/invalidParameter``.
  /// - Parameters:
  ///   - directory: a directory used only by this store. It must not be below the user's cache
  ///     directory, which may be deleted at any time.
  ///   - key: ``keySize`` random bytes.
  public init(directory: String, key: Secret<Data>) {
    target = Self.target(directory, key)
  }

  /// Creates a store in a directory.
  ///
  /// - Parameter checkKey: sees whether the key is still the one to use, before anything is kept with
  ///   it.
  init(
    directory: String, key: Secret<Data>,
    checkKey: (@Sendable () throws(StorageFailure) -> Void)?
  ) {
    target = Self.target(directory, key, checkKey)
  }

  private static func target(
    _ directory: String, _ key: Secret<Data>,
    _ checkKey: (@Sendable () throws(StorageFailure) -> Void)? = nil
  ) -> any TokenCacheStore {
    let size = key.exposed.count
    guard size == keySize else {
      return UnreachableStore(
        error: AuthenticationError(
          .invalidParameter,
          Sentence(
            "The token store “{path}” was not used: its key has {found} bytes instead of {expected}.",
            ["path": directory, "found": size, "expected": keySize]),
          step: .storage))
    }
    return RecordStore(
      backend: EncryptedFileBackend(path: directory, key: key, checkKey: checkKey),
      lockPath: EncryptedFileBackend.lockPath(in: directory))
  }
}
