import Sentences

extension PublicClientApplication {
  /// Returns `grant` after checking the ID token's signature.
  ///
  /// A sign-in fails when the signing keys are unavailable: the account is not verified, and trying
  /// again is easy. A refresh continues without the new ID token: the account is known, the
  /// response came directly from the token endpoint over TLS, which suffices (OpenID Connect Core
  /// 1.0, section 3.1.3.7, rule 6), and the refresh token may be used up. The previous ID token is
  /// kept.
  func signatureChecked(
    _ grant: TokenGrant, _ correlationID: String
  ) async throws(AuthenticationError) -> TokenGrant {
    guard let token = grant.idToken, grant.brokerProfile == nil else { return grant }
    if await signingKeys.verifies(token, keysAt: grant.keysURL) { return grant }
    // The key server may not answer for half a minute, and the token may be refused.
    if let renewed = RenewedRefreshToken(of: grant) { await memory.save(renewed) }
    do {
      try await signingKeys.check(
        token, keysAt: grant.keysURL, for: grant.reason, correlationID)
      return grant
    } catch {
      guard error.code != .invalidIDToken else { throw error }
      guard grant.reason == .signIn else {
        var grant = grant
        grant.idToken = nil
        return grant
      }
      guard error.code != .userCanceled else { throw error }
      var error = error
      error.sentence = Sentence(
        "Your sign-in could not be verified, because the sign-in service’s signing keys could not"
          + " be fetched. Nothing was saved. Sign in again in a moment.")
      throw error
    }
  }
}
