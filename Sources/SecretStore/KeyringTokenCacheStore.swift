public import AuthCore
import FoundationEssentials

/// Keeps accounts in an item of the desktop's keyring in MSAL's unified schema, which MSAL for Python, .NET,
/// Go and Java read and write, too.
///
/// Programs that share the item take turns by a lock beside its signal file, and each finds what the others
/// have written. An item that is there keeps its attributes, its label and its encoding. One that holds no
/// token cache is left as it is, and so is the whole keyring when it is not clear which item is meant.
///
/// For accounts that are this program's alone ``SecretServiceStore`` is quicker, and safer.
public final class KeyringTokenCacheStore: TokenCacheStore, SharedTokenCacheStore {
  package let cache: SharedTokenCache
  private let place: SharedItemPlace

  /// Opens the store in `item`.
  ///
  /// Nothing is asked of the keyring yet. The item does not have to be there.
  public init(_ item: SharedKeyringItem) {
    place = SharedItemPlace(item)
    cache = SharedTokenCache(at: place)
  }

  /// Whether the signal file says that another program has written.
  public var hasChanged: Bool { cache.hasChanged }

  /// The path of the signal file, the same however it was written.
  public var lockName: String? { cache.lockName }

  /// All accounts in the item, those of all apps, after asking the person to unlock the keyring if it is
  /// locked.
  public func load() async throws(AuthenticationError) -> [StoredRecord] {
    try await cache.load()
  }

  /// Lets the next ``load()`` ask the person to unlock the keyring, although they were asked before.
  public func allowAskingAgain() { place.allowAskingAgain() }

  /// Writes what has changed of an account.
  public func save(_ record: StoredRecord) async throws(AuthenticationError) {
    try await cache.save(record)
  }

  /// Removes what the account's app has of it, and the account when no other app has anything of it.
  public func delete(id: String) async throws(AuthenticationError) {
    try await cache.delete(id: id)
  }
}

extension TokenCacheLocation {
  /// A store over the cache.
  public var store: any TokenCacheStore {
    switch self {
    case .file(let path): FileTokenCacheStore(path: path)
    case .keyring(let item): KeyringTokenCacheStore(item)
    }
  }
}
