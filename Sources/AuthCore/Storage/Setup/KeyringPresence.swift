public import Sentences

/// Whether there is a keyring.
///
/// A later version can tell more of it: a `switch` needs a `default`.
public struct KeyringPresence: Sendable, Hashable, CustomStringConvertible {
  /// It is there and can be read.
  public static let unlocked = KeyringPresence(.unlocked)
  /// It is there, and the person has to unlock it.
  public static let locked = KeyringPresence(.locked)
  /// It is there, and asks the person before this program may read its items.
  public static let needsConsent = KeyringPresence(.needsConsent)
  /// There is no session bus to reach it by.
  public static let noBus = KeyringPresence(.noBus)
  /// Nothing on the session bus keeps secrets.
  public static let noService = KeyringPresence(.noService)
  /// The service has no keyring to put new things in.
  public static let noDefaultCollection = KeyringPresence(.noDefaultCollection)
  /// The service is there and did not answer in time.
  public static let noAnswer = KeyringPresence(.noAnswer)

  /// The service is there and reports a problem, in its words.
  public static func failed(_ words: String) -> KeyringPresence { KeyringPresence(.failed(words)) }

  /// Those of this version, for a `switch` that has to handle each.
  package enum Known: Hashable {
    case unlocked, locked, needsConsent, noBus, noService, noDefaultCollection, noAnswer
    case failed(String)
  }
  package let known: Known

  private init(_ known: Known) {
    self.known = known
  }

  /// The name, with the service's words where it reports a problem.
  public var description: String { "\(known)" }

  /// Why there is no keyring; nil when there is one, whatever state it is in.
  public var absence: Sentence? {
    switch known {
    case .noBus: Sentence("there is no session bus to reach a keyring")
    case .noService: Sentence("there is no keyring service in this session")
    case .noDefaultCollection: Sentence("the keyring service has no default keyring")
    case .unlocked, .locked, .needsConsent, .noAnswer, .failed: nil
    }
  }
}
