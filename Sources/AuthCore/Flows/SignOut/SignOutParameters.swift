/// The parameters of a sign-out.
///
/// Without further words an account is removed from this app, and nothing else is touched.
public struct SignOutParameters: Sendable {
  /// Opens the sign-out page too, so that the browser session ends as well; nil to leave the browser
  /// alone.
  public var session: (any WebAuthenticationSession)?
  /// Whether to remove what other apps keep of the account in the same store, too.
  ///
  /// They are found where the store shows the records of other client IDs.
  public var wipeAccount = false
  /// Whether to remove everyone, with all that the store shows, whichever app it belongs to.
  ///
  /// It is for a device that changes hands.
  public var wipeCacheForAllAccounts = false
  /// More query parameters for the sign-out page, such as `ui_locales`.
  ///
  /// None that the sign-out itself sets.
  public var extraQueryParameters: [String: String] = [:]
  /// The correlation ID of the request; a new one when nil.
  public var correlationID: String?

  /// Signs out of this app, and of the browser session when `session` can show its pages.
  public init(session: (any WebAuthenticationSession)? = nil) {
    self.session = session
  }
}
