import CurlHTTP
import FoundationEssentials
import Sentences

/// The result of a flow: a token response that is checked, except for its signature.
struct TokenGrant: Sendable {
  /// The server's response.
  var response: TokenResponse
  /// The ID token; nil when a refresh returned none that is valid.
  var idToken: IDToken?
  /// The account of the tokens.
  var homeAccountID: HomeAccountID
  /// The tenant that issued them; the home tenant when the ID token has none.
  var tenantID: String
  /// The authority of the request.
  var authority: Authority
  /// The URL of the authority's signing keys.
  var keysURL: String
  /// The key that the access token is bound to; nil for a bearer token.
  var proofKey: ProofKey?
  /// The scopes that the access token is valid for.
  var scopes: Scopes
  /// When the response arrived.
  var receivedAt: Date
  /// Why the tokens were acquired.
  var reason: Reason
  /// The refresh token that was used; nil when there was none.
  var spentToken: Secret<String>?
  /// The account's profile from a broker; nil for tokens from elsewhere.
  var brokerProfile: AccountRecord.Profile?

  /// Why tokens were acquired.
  enum Reason: Sendable {
    /// A sign-in: on the pages, with a device code, or with the identity broker.
    case signIn
    /// A new token without user interaction, for an account that this app has.
    case renewal
    /// The first token in this app for an account of the identity broker, without user interaction.
    case adoption

    /// Whether it adds the account to this app; otherwise, an account that was removed meanwhile
    /// stays removed.
    var addsAccount: Bool {
      switch self {
      case .signIn, .adoption: true
      case .renewal: false
      }
    }
  }

  /// When the access token expires.
  var expiresOn: Date { receivedAt + Double(response.expiresIn) }

  /// How far this device's clock is ahead of the service's, or behind it when negative; nil when the
  /// ID token, which was just issued, is valid by this device's clock.
  ///
  /// A broker's ID token does not count: it may come from the broker's cache.
  var clockDifference: Duration? {
    brokerProfile == nil ? idToken?.clockDifference(at: receivedAt) : nil
  }

  /// What a response is checked against.
  struct Expectation {
    var scopes: [String]
    var clientID: String
    var authority: Authority
    var configuration: OpenIDConfiguration
    /// The nonce of the authorization request; nil for a refresh.
    var nonce: Secret<String>?
    /// The key that the access token was to be bound to; nil for a bearer token.
    var proofKey: ProofKey?
    /// The account that a refresh must return tokens for; nil for any account.
    var homeAccountID: HomeAccountID?
    /// The refresh token of the request; nil when it has none.
    var spentToken: Secret<String>?
    var reason: Reason
  }

  /// Checks a token response.
  ///
  /// - Throws: ``AuthenticationError``; then nothing of the response may be kept but its
  ///   ``RenewedRefreshToken``.
  init(
    checking reply: HTTPReply, receivedAt: Date, against expectation: Expectation
  ) throws(AuthenticationError) {
    let response: TokenResponse
    do throws(AuthenticationError) {
      response = try TokenResponse(
        reply, receivedAt: receivedAt, isBound: expectation.proofKey != nil,
        from: expectation.authority)
    } catch {
      throw expectation.reason == .renewal
        ? error.asRefusal(by: expectation.authority) : error
    }
    let authority = expectation.authority
    let idToken = try Self.idToken(of: response, expectation)
    let homeAccountID =
      authority.kind.hasClientInfo
      ? response.homeAccountID
      : idToken?["sub"].map(HomeAccountID.init(subject:)) ?? expectation.homeAccountID
    guard let homeAccountID else {
      throw .unusableResponse(Sentence("it has no “client_info”, so the account is unknown"))
    }
    if let expected = expectation.homeAccountID, expected != homeAccountID {
      throw .otherAccount
    }
    self.response = response
    self.idToken = idToken
    self.homeAccountID = homeAccountID
    tenantID =
      authority.kind.hasClientInfo
      ? idToken?.tenantID ?? homeAccountID.tenantID : authority.tenant
    self.authority = authority
    keysURL = expectation.configuration.keysURL
    proofKey = expectation.proofKey
    // No list means that all requested scopes were granted (RFC 6749, section 5.1).
    scopes =
      response.scopes?.granted(for: expectation.scopes)
      ?? Scopes(expectation.scopes).adding(expectation.configuration.openIDScopes)
    self.receivedAt = receivedAt
    spentToken = expectation.spentToken
    reason = expectation.reason
  }

  private static func idToken(
    of response: TokenResponse, _ expectation: Expectation
  ) throws(AuthenticationError) -> IDToken? {
    guard let text = response.idToken else {
      // A refresh may return no ID token (OpenID Connect Core 1.0, section 12.2). For kinds with
      // tenants it identifies the tenant of the tokens, so there it is required.
      guard expectation.homeAccountID != nil, !expectation.authority.kind.hasClientInfo else {
        throw expectation.authority.kind.isMicrosofts
          ? .unusableResponse(Sentence("it has no ID token"))
          : unnamed(at: expectation.authority)
      }
      return nil
    }
    let token = try IDToken(
      text.exposed,
      expecting: IDToken.Expectation(
        clientID: expectation.clientID, authority: expectation.authority,
        configuration: expectation.configuration, nonce: expectation.nonce))
    try token.checkHash(of: response.accessToken)
    return token
  }

  /// The scopes among `asked` that were not granted.
  func declined(of asked: [String]) -> [String] {
    Scopes(asked).withoutOpenID.list.filter { !scopes.contains($0) }
  }

  /// Tokens without an account, such as from a device grant of OAuth without OpenID Connect (RFC
  /// 8628), which has no ID token.
  private static func unnamed(at authority: Authority) -> AuthenticationError {
    AuthenticationError(
      .invalidResponse,
      Sentence(
        "{service} did not return an ID token, so the account is unknown. Sign in another way, or"
          + " ask the administrator of the service to allow the scope “openid” for this app.",
        ["service": authority.signInService]), step: .token)
  }
}

extension AuthenticationError {
  /// A refresh that returned another account's tokens: see ``RenewedRefreshToken``.
  static var otherAccount: AuthenticationError {
    AuthenticationError(
      .accountMismatch,
      Sentence("The sign-in service returned tokens for another account. Nothing was saved."),
      step: .token)
  }
}
