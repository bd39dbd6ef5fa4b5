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
public final class EncryptedFileTokenCacheStore: ForwardingStore {
  package let target: any TokenCacheStore
  package var knownTarget: (any TokenCacheStore)? { target }

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
    target = RecordStore(
      backend: EncryptedFileBackend(path: directory, key: key), lockPath: "\(directory)/lock")
  }
}
