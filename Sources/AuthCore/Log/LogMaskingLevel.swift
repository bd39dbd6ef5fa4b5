/// Which values of a log line are hidden.
///
/// The levels are MSAL's. No level shows a secret: tokens, codes and the like are never written.
public enum LogMaskingLevel: Sendable {
  /// Hides what tells of a person, an account or an organization.
  ///
  /// Of an ID there is a short hash, by which lines about the same one can be told.
  case maskAllPII
  /// Hides names and addresses of persons, and shows IDs of accounts and tenants.
  case maskEUIIOnly
  /// Hides nothing but secrets.
  case maskSecretsOnly
}
