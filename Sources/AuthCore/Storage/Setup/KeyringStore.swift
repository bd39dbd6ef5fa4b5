/// A store in a keyring, which may not exist.
public protocol KeyringStore: TokenCacheStore {
  /// Looks for the keyring, without asking the user.
  func presence() async -> KeyringPresence
}
