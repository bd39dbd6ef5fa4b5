/// A store in a keyring, which a computer may have or not.
public protocol KeyringStore: TokenCacheStore {
  /// Looks for the keyring, without asking the person for anything.
  func presence() async -> KeyringPresence
}
