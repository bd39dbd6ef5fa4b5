/// Shows sign-in pages and catches the redirect that ends them.
///
/// AuthCore has no user interface. A type that does conforms to this protocol: it gets a URL, and
/// returns the URL of the redirect. It corresponds to `ASWebAuthenticationSession` on Apple's
/// systems.
public protocol WebAuthenticationSession: Sendable {
  /// The redirect URI of the next request.
  ///
  /// A session that listens on this computer adds its port; others return `registered`, the default
  /// implementation.
  func redirectURI(for registered: RedirectURI) async throws(AuthenticationError) -> RedirectURI

  /// Shows `request.startURL` and waits until a page navigates to the redirect URI, or to a URL
  /// that ``RedirectURI/asksForRegistration(_:)``.
  ///
  /// - Returns: the whole URL of that navigation, byte for byte.
  /// - Throws: ``AuthenticationError`` with code ``AuthenticationError/Code/userCanceled`` when
  ///   the user canceled or the task was canceled,
  ///   ``AuthenticationError/Code/networkUnavailable`` and
  ///   ``AuthenticationError/Code/tlsFailure`` when a page could not be loaded, and
  ///   ``AuthenticationError/Code/webAuthenticationFailed`` when the pages could not be shown.
  func authenticate(_ request: WebAuthenticationRequest) async throws(AuthenticationError)
    -> String

  /// Whether the pages of the next request start without cookies, so that nobody is signed in
  /// there yet.
  ///
  /// Sessions that keep cookies or do not know return false, the default implementation.
  /// - Parameter isEphemeral: the ``WebAuthenticationRequest/prefersEphemeralSession`` of the
  ///   request.
  func startsWithoutCookies(isEphemeral: Bool) async -> Bool
}

extension WebAuthenticationSession {
  /// Returns `registered`.
  public func redirectURI(
    for registered: RedirectURI
  ) async throws(AuthenticationError) -> RedirectURI { registered }

  /// Returns false.
  public func startsWithoutCookies(isEphemeral: Bool) async -> Bool { false }
}
