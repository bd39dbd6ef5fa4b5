public import AuthCore

/// Keeps accounts in an item of the desktop's keyring in MSAL's unified schema, which MSAL for Python, .NET,
/// Go and Java read and write, too.
///
/// Programs that share the item take turns by a lock beside its signal file, and each finds what the others
/// have written. An item that is there keeps its attributes, its label and its encoding. One that holds no
/// token cache is left as it is, and so is the whole keyring when it is not clear which item is meant.
///
/// For accounts that are this program's alone ``SecretServiceStore`` is quicker, and safer.
public final class KeyringTokenCacheStore: ForwardingStore {
  package let target: any TokenCacheStore
  package var knownTarget: (any TokenCacheStore)? { target }

  /// Opens the store in `item`.
  ///
  /// Nothing is asked of the keyring yet. The item does not have to be there.
  public init(_ item: SharedKeyringItem) {
    target = SharedStore(in: SharedItemBackend(item))
  }
}

extension TokenCacheLocation {
  /// A store over the cache.
  public var store: any TokenCacheStore {
    switch known {
    case .file(let path): FileTokenCacheStore(path: path)
    case .keyring(let item): KeyringTokenCacheStore(item)
    }
  }
}
