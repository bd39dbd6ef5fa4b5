import FoundationEssentials
import Sentences

extension TokenGrant {
  /// What a broker's token is checked against.
  struct BrokerExpectation {
    var scopes: [String]
    var clientID: String
    var authority: Authority
    /// The issuer of ``authority``, which has the ID of the tenant that the authority names; nil
    /// when the authority has the ID itself, or the token has it.
    var issuer: String?
    /// The account that the token must belong to; nil for any.
    var homeAccountID: HomeAccountID?
    var reason: Reason
  }

  /// Checks a broker's token.
  ///
  /// The ID token's signature is not checked: the broker is trusted.
  /// - Parameter account: the token's account, if it is known from elsewhere.
  /// - Throws: ``AuthenticationError``; then nothing of the token may be kept.
  init(
    checking token: BrokerToken, of account: BrokerAccount?, receivedAt: Date,
    against expectation: BrokerExpectation
  ) throws(AuthenticationError) {
    guard TokenText.isAccessToken(token.accessToken.exposed) else {
      throw Self.fault(.invalidResponse, Sentence("returned an invalid token"))
    }
    guard let homeAccountID = token.homeAccountID ?? account?.homeAccountID else {
      throw Self.fault(.invalidResponse, Sentence("returned a token without an account"))
    }
    if let expected = expectation.homeAccountID, expected != homeAccountID {
      throw Self.fault(.accountMismatch, Sentence("returned a token for another account"))
    }
    let idToken = token.idToken.flatMap { try? IDToken($0.exposed) }
    if let idToken, idToken.claims["aud"] != .string(expectation.clientID) {
      throw Self.fault(.invalidIDToken, Sentence("returned a token for another app"))
    }
    if let life = token.expiresOn?.timeIntervalSince(receivedAt), life <= 0 {
      throw Self.fault(.invalidResponse, Sentence("returned an expired token"))
    }
    let described = token.account ?? (account?.homeAccountID == homeAccountID ? account : nil)
    response = TokenResponse(token, receivedAt: receivedAt)
    self.idToken = idToken
    self.homeAccountID = homeAccountID
    tenantID = idToken?.tenantID ?? described?.tenantID ?? homeAccountID.tenantID
    authority = expectation.authority
    guard authority.admits(tenantID: tenantID, issuer: expectation.issuer) else {
      // Himmelblau does not read the authority. The app's own tokens and pages do.
      var error = Self.fault(
        .brokerUnavailable, Sentence("returned a token of another organization"))
      error.brokerError = BrokerError(.fallbackToNativeMsal)
      throw error
    }
    keysURL = ""
    let asked = expectation.scopes
    scopes = response.scopes?.granted(for: asked) ?? Scopes(asked)
    self.receivedAt = receivedAt
    reason = expectation.reason
    brokerProfile = AccountRecord.Profile(
      realm: tenantID,
      localAccountID: idToken?.localAccountID ?? described?.localAccountID
        ?? homeAccountID.objectID,
      username: idToken?.username(at: .entra) ?? described?.username ?? "",
      name: idToken?["name"] ?? described?.name, accountSource: AccountRecord.Profile.broker)
  }

  private static func fault(
    _ code: AuthenticationError.Code, _ reason: Sentence
  ) -> AuthenticationError {
    AuthenticationError(
      code,
      Sentence("This computer’s identity broker {reason}. Nothing was saved.", ["reason": reason]),
      step: .broker)
  }
}

extension TokenResponse {
  /// A broker's token as a token response.
  fileprivate init(_ token: BrokerToken, receivedAt: Date) {
    func seconds(until date: Date?, upTo longest: Int) -> Int? {
      guard let seconds = date?.timeIntervalSince(receivedAt), !seconds.isNaN else { return nil }
      return seconds > 0 ? Int(min(seconds, Double(longest))) : 0
    }
    accessToken = token.accessToken
    refreshToken = nil
    idToken = token.idToken
    homeAccountID = nil
    scopes = token.scopes.map(Scopes.init)
    expiresIn = seconds(until: token.expiresOn, upTo: Self.maximumLifetime) ?? 60
    extendedExpiresIn = seconds(
      until: token.extendedExpiresOn, upTo: Self.maximumExtendedLifetime)
    refreshIn = nil
  }
}
