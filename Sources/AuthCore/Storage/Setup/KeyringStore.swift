public import Sentences

/// A store in a keyring, which may not exist.
public protocol KeyringStore: TokenCacheStore {
  /// Looks for the keyring, without asking the user.
  func presence() async -> KeyringPresence
}

/// Whether there is a keyring.
public enum KeyringPresence: Sendable, Equatable {
  /// It exists and can be read.
  case unlocked
  /// It exists and is locked.
  case locked
  /// It exists, and asks the user before this program may read its items.
  case needsConsent
  /// There is no session bus.
  case noBus
  /// Nothing on the session bus provides secrets.
  case noService
  /// The service has no default keyring for new items.
  case noDefaultCollection
  /// The service did not answer in time.
  case noAnswer
  /// The service reports an error, in its own words.
  case failed(String)

  /// Why there is no keyring; nil when there is one, in any state.
  public var absence: Sentence? {
    switch self {
    case .noBus: Sentence("there is no session bus by which to reach a keyring")
    case .noService: Sentence("there is no keyring service in this session")
    case .noDefaultCollection: Sentence("the keyring service has no default keyring")
    case .unlocked, .locked, .needsConsent, .noAnswer, .failed: nil
    }
  }
}
