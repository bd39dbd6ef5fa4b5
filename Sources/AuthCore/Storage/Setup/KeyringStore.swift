public import Sentences

/// A store in a keyring, which a computer may have or not.
public protocol KeyringStore: TokenCacheStore {
  /// Looks for the keyring, without asking the person for anything.
  func presence() async -> KeyringPresence
}

/// Whether there is a keyring.
public enum KeyringPresence: Sendable, Equatable {
  /// It is there and can be read.
  case unlocked
  /// It is there, and the person has to unlock it.
  case locked
  /// It is there, and asks the person before this program may read its items.
  case needsConsent
  /// There is no session bus to reach it by.
  case noBus
  /// Nothing on the session bus keeps secrets.
  case noService
  /// The service has no keyring to put new things in.
  case noDefaultCollection
  /// The service is there and did not answer in time.
  case noAnswer
  /// The service is there and reports a problem, in its words.
  case failed(String)

  /// Why there is no keyring; nil when there is one, whatever state it is in.
  public var absence: Sentence? {
    switch self {
    case .noBus: Sentence("there is no session bus by which to reach a keyring")
    case .noService: Sentence("there is no keyring service in this session")
    case .noDefaultCollection: Sentence("the keyring service has no default keyring")
    case .unlocked, .locked, .needsConsent, .noAnswer, .failed: nil
    }
  }
}
