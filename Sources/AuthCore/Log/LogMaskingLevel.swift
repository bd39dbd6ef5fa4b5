/// Which values of a log line are hidden.
///
/// The levels are MSAL's; a later version can have more of them. No level shows a secret: tokens, codes and
/// the like are never written.
public struct LogMaskingLevel: Sendable, Hashable, CustomStringConvertible {
  /// Hides what tells of a person, an account or an organization.
  ///
  /// Of an ID there is a short hash, by which lines about the same one can be told.
  public static let maskAllPII = LogMaskingLevel(
    "maskAllPII", hidesPersons: true, hidesIdentifiers: true)
  /// Hides names and addresses of persons, and shows IDs of accounts and tenants.
  public static let maskEUIIOnly = LogMaskingLevel(
    "maskEUIIOnly", hidesPersons: true, hidesIdentifiers: false)
  /// Hides nothing but secrets.
  public static let maskSecretsOnly = LogMaskingLevel(
    "maskSecretsOnly", hidesPersons: false, hidesIdentifiers: false)

  /// The name, for logs and for programs.
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
