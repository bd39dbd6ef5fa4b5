import AuthCore

/// A session that tells when its first page is shown, and whose redirect can go elsewhere.
struct WatchedWebSession: WebAuthenticationSession {
  /// The session that shows the pages.
  let session: any WebAuthenticationSession
  /// The redirect URI to use instead of the registered one; nil for that one.
  var redirectURI: RedirectURI?
  /// Runs before the first page is shown, which an identity broker may make unnecessary.
  let whenShown: @MainActor @Sendable (WebAuthenticationRequest) -> Void

  func redirectURI(
    for registered: RedirectURI
  ) async throws(AuthenticationError) -> RedirectURI {
    try await session.redirectURI(for: redirectURI ?? registered)
  }

  func authenticate(
    _ request: WebAuthenticationRequest
  ) async throws(AuthenticationError) -> String {
    await whenShown(request)
    return try await session.authenticate(request)
  }

  func startsWithoutCookies(isEphemeral: Bool) async -> Bool {
    await session.startsWithoutCookies(isEphemeral: isEphemeral)
  }
}
