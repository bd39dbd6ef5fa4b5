/// Which values of a log line are masked.
///
/// The levels are MSAL's. No level shows a secret: tokens, codes and the like are never logged.
public enum LogMaskingLevel: Sendable {
  /// Masks data about users, accounts and organizations.
  ///
  /// An ID is replaced by a short hash, so that lines about the same one can be matched.
  case maskAllPII
  /// Masks users' names and addresses, and shows IDs of accounts and tenants.
  case maskEUIIOnly
  /// Masks only secrets.
  case maskSecretsOnly
}
