import CurlHTTP
import FoundationEssentials
import Sentences

/// A token response that was checked, but for its signature: what a flow ends with.
struct TokenGrant: Sendable {
  /// What the server sent.
  var response: TokenResponse
  /// Its ID token; nil when a refresh brought none that could be checked.
  var idToken: IDToken?
  /// Whose tokens they are.
  var homeAccountID: HomeAccountID
  /// The tenant that issued them; the account's home where the ID token does not tell.
  var tenantID: String
  /// The authority that was asked.
  var authority: Authority
  /// Where its keys are.
  var keysURL: String
  /// The key that the access token is bound to; nil for a bearer token.
  var proofKey: ProofKey?
  /// The scopes that the access token is good for.
  var scopes: Scopes
  /// When the response came.
  var receivedAt: Date
  /// Why it came.
  var reason: Reason
  /// The refresh token that was given for it; nil when there was none.
  var spentToken: Secret<String>?
  /// Who it is as a broker tells it; nil when the tokens did not come from one.
  var brokerProfile: AccountRecord.Profile?

  /// Why tokens came.
  enum Reason: Sendable {
    /// A person signed in: on the pages, with a code or with the identity broker.
    case signIn
    /// An account that this app has got a new token, without the person.
    case renewal
    /// An account of the identity broker's got its first token in this app, without the person.
    case adoption

    /// Whether the account comes to this app by it: else one that was removed meanwhile stays so.
    var addsAccount: Bool {
      switch self {
      case .signIn, .adoption: true
      case .renewal: false
      }
    }
  }

  /// When the access token can no longer be used.
  var expiresOn: Date { receivedAt + Double(response.expiresIn) }

  /// Whether the ID token, which has just been made, is over or not yet good by this device's clock.
  ///
  /// A broker's is no sign of that: it may come from the broker's cache.
  var disagreesWithClock: Bool {
    brokerProfile == nil && idToken?.disagrees(withClock: receivedAt) == true
  }

  /// What a response is held against.
  struct Expectation {
    var scopes: [String]
    var clientID: String
    var authority: Authority
    var configuration: OpenIDConfiguration
    /// The nonce of the authorization request; nil for a refresh.
    var nonce: Secret<String>?
    /// The key that the access token was asked to be bound to; nil for a bearer token.
    var proofKey: ProofKey?
    /// Whose tokens a refresh must bring; nil when anyone may have signed in.
    var homeAccountID: HomeAccountID?
    var reason: Reason
  }

  /// Checks the answer of a token endpoint.
  ///
  /// - Throws: ``AuthenticationError``; then nothing of the response may be kept.
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
      ? response.clientInfo?.homeAccountID
      : idToken?["sub"].map(HomeAccountID.init(subject:)) ?? expectation.homeAccountID
    guard let homeAccountID else {
      throw Self.invalid(Sentence("Client info was not returned in the server response"))
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
    // No list means that all that was asked for was granted (RFC 6749, section 5.1).
    scopes =
      response.scopes?.granted(for: expectation.scopes)
      ?? Scopes(expectation.scopes).adding(expectation.configuration.openIDScopes)
    self.receivedAt = receivedAt
    reason = expectation.reason
  }

  private static func idToken(
    of response: TokenResponse, _ expectation: Expectation
  ) throws(AuthenticationError) -> IDToken? {
    guard let text = response.idToken else {
      // A refresh may bring none (OpenID Connect Core 1.0, section 12.2). Where accounts have tenants it
      // tells which one the tokens are of, so there it must.
      guard expectation.homeAccountID != nil, !expectation.authority.kind.hasClientInfo else {
        throw expectation.authority.kind.isMicrosofts
          ? invalid(Sentence("it has no ID token")) : unnamed(at: expectation.authority)
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

  /// Tokens without a word of whose they are, such as a device grant of OAuth alone (RFC 8628), which knows
  /// no ID token.
  private static func unnamed(at authority: Authority) -> AuthenticationError {
    AuthenticationError(
      .invalidResponse,
      Sentence(
        "{service} did not return an ID token, so the account is unknown. Sign in another way, or"
          + " ask the administrator of the service to allow the scope 'openid' for this app.",
        ["service": authority.signInService]), step: .token)
  }

  private static func invalid(_ reason: Sentence) -> AuthenticationError {
    AuthenticationError(
      .invalidResponse,
      Sentence("The sign-in service's response cannot be used: {reason}.", ["reason": reason]),
      step: .token)
  }
}

extension AuthenticationError {
  /// A refresh that brought someone else's tokens.
  static var otherAccount: AuthenticationError {
    AuthenticationError(
      .accountMismatch,
      Sentence("The sign-in service returned tokens for another account. Nothing was saved."),
      step: .token)
  }
}
