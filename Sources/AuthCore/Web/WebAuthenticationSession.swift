/// Shows sign-in pages to a person and catches the redirect that ends them.
///
/// AuthCore knows no window. Whoever has one conforms to this: a URL goes in, the URL of the
/// redirect comes out. It is the role that `ASWebAuthenticationSession` has on Apple's systems.
public protocol WebAuthenticationSession: Sendable {
  /// Says where the pages of the next request end, which goes into the request itself.
  ///
  /// A session that listens on this machine puts its port in; all others give `registered` back, and need not
  /// implement this.
  func redirectURI(for registered: RedirectURI) async throws(AuthenticationError) -> RedirectURI

  /// Shows `request.startURL` and waits until a page navigates to the redirect URI, or to what
  /// ``RedirectURI/asksForRegistration(_:)``.
  ///
  /// - Returns: the whole URL of that navigation, byte for byte as it came.
  /// - Throws: ``AuthenticationError`` with code ``AuthenticationError/Code/userCanceled`` when the
  ///   person gave up or the task was cancelled, and
  ///   ``AuthenticationError/Code/webAuthenticationFailed`` when the pages could not be shown.
  func authenticate(_ request: WebAuthenticationRequest) async throws(AuthenticationError)
    -> String
}

extension WebAuthenticationSession {
  /// Gives `registered` back.
  public func redirectURI(
    for registered: RedirectURI
  ) async throws(AuthenticationError) -> RedirectURI { registered }
}
