package import Sentences

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
public final class FileTokenCacheStore: ForwardingStore {
  package let target: any TokenCacheStore
  package var knownTarget: (any TokenCacheStore)? { target }

  /// Opens the store in the file at `path`.
  ///
  /// Neither the file nor its directory has to be there; they are made when an account is kept.
  public init(path: String) {
    target = SharedStore(in: PrivateFile(path: path))
  }
}

extension PrivateFile: SharedBackend {
  package var name: Sentence { Sentence("token cache '{path}'", ["path": path]) }

  package var isItsOwnSignal: Bool { true }

  package func open() {}
}
