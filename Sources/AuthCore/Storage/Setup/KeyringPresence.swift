public import Sentences

/// Whether there is a keyring.
///
/// Later versions may add values: a `switch` needs a `default`.
public struct KeyringPresence: Sendable, Hashable, CustomStringConvertible {
  /// It exists and can be read.
  public static let unlocked = KeyringPresence(.unlocked)
  /// It exists and is locked.
  public static let locked = KeyringPresence(.locked)
  /// It exists, and asks the user before this program may read its items.
  public static let needsConsent = KeyringPresence(.needsConsent)
  /// There is no session bus.
  public static let noBus = KeyringPresence(.noBus)
  /// Nothing on the session bus provides secrets.
  public static let noService = KeyringPresence(.noService)
  /// The service has no default keyring for new items.
  public static let noDefaultCollection = KeyringPresence(.noDefaultCollection)
  /// The service did not answer in time.
  public static let noAnswer = KeyringPresence(.noAnswer)

  /// The service reports an error, in its own words.
  public static func failed(_ words: String) -> KeyringPresence { KeyringPresence(.failed(words)) }

  /// The values of this version, for a `switch` that must handle each.
  package enum Known: Hashable {
    case unlocked, locked, needsConsent, noBus, noService, noDefaultCollection, noAnswer
    case failed(String)
  }
  package let known: Known

  private init(_ known: Known) {
    self.known = known
  }

  /// The name, and the service's own words if it reports an error.
  public var description: String { "\(known)" }

  /// Why there is no keyring; nil when there is one, in any state.
  public var absence: Sentence? {
    switch known {
    case .noBus: Sentence("there is no session bus to reach a keyring")
    case .noService: Sentence("there is no keyring service in this session")
    case .noDefaultCollection: Sentence("the keyring service has no default keyring")
    case .unlocked, .locked, .needsConsent, .noAnswer, .failed: nil
    }
  }
}

/// A store in a keyring, which may not exist.
public protocol KeyringStore: TokenCacheStore {
  /// Looks for the keyring, without asking the user.
  func presence() async -> KeyringPresence
}
