import Sentences

extension PublicClientApplication {
  /// `grant`, once its authority is known to have signed the ID token.
  ///
  /// A sign-in fails when there are no keys to tell by: nobody has signed in for certain, and trying again
  /// costs the person little. A refresh goes on without the ID token: the account is known, the answer
  /// came straight from the token endpoint over TLS, which is proof enough of where it comes from (OpenID
  /// Connect Core 1.0, section 3.1.3.7, rule 6), and the refresh token that was sent may be used up. The
  /// ID token from before stays.
  func signatureChecked(
    _ grant: TokenGrant, _ correlationID: String
  ) async throws(AuthenticationError) -> TokenGrant {
    guard let token = grant.idToken, grant.brokerProfile == nil else { return grant }
    do {
      try await signingKeys.check(token, keysAt: grant.keysURL, correlationID)
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
        "Your sign-in could not be verified, because the sign-in service's signing keys could not"
          + " be fetched. Nothing was saved. Please sign in again in a moment.")
      throw error
    }
  }
}
