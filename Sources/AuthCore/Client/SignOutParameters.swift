/// How to sign out.
public struct SignOutParameters: Sendable {
  /// Opens the sign-out page too, so that the browser session ends as well; nil to sign out of this app
  /// alone.
  public var session: (any WebAuthenticationSession)?
  /// The ID of the request; a new one when nil.
  public var correlationID: String?

  /// Signs out of this app, and of the browser session when `session` can show its pages.
  public init(session: (any WebAuthenticationSession)? = nil) {
    self.session = session
  }
}
