import Glibc
package import Sentences

/// Keeps accounts in a file in MSAL's unified schema, which MSAL for Python, .NET, Go, Node and
/// Java read and write too.
///
/// The file is not encrypted. It is readable only by its owner (mode 0600), that is, by every
/// program of that user, by the administrator, and by anyone with access to the disk or a backup:
/// all of them can use its tokens to act as the user. Prefer the Secret Service where there is one.
///
/// Programs that share the file take turns with a lock beside it, `<path>.lockfile`, and each finds
/// what the others have written. Reading changes nothing; a write replaces the file atomically. A
/// file that is no token cache is rejected and left as it is. A file that others could have written
/// is not read.
public final class FileTokenCacheStore: ForwardingStore {
  package let target: any TokenCacheStore
  package var knownTarget: (any TokenCacheStore)? { target }

  /// Creates a store in the file at `path`.
  ///
  /// The file and its directory are created when an account is stored.
  public init(path: String) {
    target = SharedStore(in: PrivateFile(path: path))
  }

  /// Creates a store in the file at `path`, which no other program uses.
  init(alone path: String) {
    target = SharedStore(
      in: PrivateFile(path: path),
      remedy: Sentence(
        "restore a copy of it, or run 'mv \"{path}\" \"{path}.old\"' and sign in again",
        ["path": path]))
  }
}

extension PrivateFile: SharedBackend {
  package func write(_ bytes: [UInt8]) throws(StorageFailure) -> FileStamp? {
    removeLeftovers()
    return try write(bytes, replacing: true)
  }

  package var name: Sentence { Sentence("token cache “{path}”", ["path": path]) }

  package var isItsOwnSignal: Bool { true }

  package func open() {}
}
