/// The parameters of a sign-out.
///
/// By default, an account is only removed from this app.
public struct SignOutParameters: Sendable {
  /// Opens the sign-out page too, to end the browser session; nil to leave the browser session as
  /// it is.
  public var session: (any WebAuthenticationSession)?
  /// Whether to remove the account's data of other apps in the same store too.
  ///
  /// It is found only if the store exposes the records of other client IDs.
  public var wipeAccount = false
  /// Whether to remove all accounts, with all data that the store exposes, of any app.
  ///
  /// Use it when a device changes its user.
  public var wipeCacheForAllAccounts = false
  /// The result of an earlier sign-out of the same account, to repeat only the parts that failed;
  /// nil for a new sign-out.
  public var earlier: SignOutResult?
  /// More query parameters for the sign-out page, such as `ui_locales`.
  ///
  /// Parameters that the sign-out sets are not allowed.
  public var extraQueryParameters: [String: String] = [:]
  /// The correlation ID; nil for a new one.
  public var correlationID: String?

  /// Signs out of this app, and of the browser session when `session` can show its pages.
  public init(session: (any WebAuthenticationSession)? = nil) {
    self.session = session
  }
}
