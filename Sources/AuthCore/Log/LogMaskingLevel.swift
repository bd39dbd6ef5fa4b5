/// Which values of a log line are masked.
///
/// The levels are MSAL's; later versions may add some: a `switch` needs a `default`. No level shows
/// a secret: tokens, codes and the like are never logged.
public struct LogMaskingLevel: Sendable, Hashable, CustomStringConvertible {
  /// Masks users' names and addresses, and IDs of accounts and tenants.
  ///
  /// An ID and the name in an address are replaced by a short hash, so that lines about the same one
  /// can be matched. The domain of an address is shown.
  public static let maskAllPII = LogMaskingLevel(
    "maskAllPII", hidesPersons: true, hidesIdentifiers: true)
  /// Masks users' names and addresses in the same way, and shows IDs of accounts and tenants.
  public static let maskEUIIOnly = LogMaskingLevel(
    "maskEUIIOnly", hidesPersons: true, hidesIdentifiers: false)
  /// Masks only secrets.
  public static let maskSecretsOnly = LogMaskingLevel(
    "maskSecretsOnly", hidesPersons: false, hidesIdentifiers: false)

  /// The name, for logs and programs.
  public let rawValue: String
  let hidesPersons: Bool
  let hidesIdentifiers: Bool

  private init(_ rawValue: String, hidesPersons: Bool, hidesIdentifiers: Bool) {
    self.rawValue = rawValue
    self.hidesPersons = hidesPersons
    self.hidesIdentifiers = hidesIdentifiers
  }

  /// The name.
  public var description: String { rawValue }
}
