public import AuthCore

/// Keeps accounts in a keyring item in MSAL's unified schema, which MSAL for Python, .NET, Go and
/// Java read and write too.
///
/// Programs that share the item take turns with a lock beside its signal file, and each finds what
/// the others have written. An existing item keeps its attributes, its label and its encoding. An
/// item that holds no token cache is left as it is, and so is the whole keyring when it is not
/// clear which item is meant.
///
/// For accounts of this program alone, ``SecretServiceStore`` is faster and safer.
public final class KeyringTokenCacheStore: ForwardingStore {
  package let target: any TokenCacheStore
  package var knownTarget: (any TokenCacheStore)? { target }

  /// Creates the store for `item`.
  ///
  /// The keyring is not contacted yet. The item does not have to exist.
  public init(_ item: SharedKeyringItem) {
    target = SharedStore(in: SharedItemBackend(item))
  }

  /// Creates a store that never asks the user: while the item is locked, it is not available.
  init(quietly item: SharedKeyringItem) {
    target = SharedStore(in: SharedItemBackend(item, asksPerson: false))
  }
}

extension TokenCacheLocation {
  /// A store over the shared cache.
  public var store: any TokenCacheStore {
    switch known {
    case .file(let path): FileTokenCacheStore(path: path)
    case .keyring(let item): KeyringTokenCacheStore(item)
    }
  }

  /// A store over the shared cache that never asks the user.
  package var quietStore: any TokenCacheStore {
    keyringItem.map { KeyringTokenCacheStore(quietly: $0) } ?? store
  }
}
