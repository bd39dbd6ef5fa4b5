import FoundationEssentials

/// The basis of issued tokens: client, user and authority.
struct Grant: Sendable {
  let authority: Authority
  var user: User
  let tenant: Tenant
  let client: ClientRegistration
  let scopes: ScopeRequest
  /// The nonce of the authorization request; nil for a refresh.
  var nonce: String?
  /// What the `claims` parameter asks for.
  var claims = RequestedClaims()
  /// When the user gave a password.
  var signedIn = Date()
  /// Whether the ID token has the time of the sign-in.
  var tellsSignInTime = false
  let wantsClientInfo: Bool
  /// The key that the access token is to be bound to; nil for a bearer token.
  var key: RequestedKey?
  var isRefresh = false
  /// The scopes of the grant that is refreshed; nil at the first time.
  var original: ScopeRequest?
}

/// An authorization code and its grant.
struct AuthorizationCode: Sendable {
  let request: AuthorizationRequest
  let user: User
  let tenant: Tenant
  var issued: Date
  /// When the user gave a password.
  let signedIn: Date
  var isRedeemed = false

  /// The lifetime of a code, in seconds.
  static let lifetime: TimeInterval = 600
}

/// A refresh token.
///
/// It is bound to user, client and service, and with Entra not to the tenant.
struct RefreshToken: Sendable {
  let user: User
  let clientID: String
  let authority: Authority
  let issued: Date
  /// When the user gave a password.
  let signedIn: Date
  /// What a refresh asks for that names no scopes; it may name others.
  let scopes: ScopeRequest
  var isRevoked = false
}

/// An access token as seen by APIs.
struct AccessToken: Sendable {
  let user: User
  let tenant: Tenant
  let scopes: [Scope]
  /// The `sub` of the ID tokens of the same client.
  let subject: String
  /// The identifier of the API; empty for the kind's own.
  let resource: String
  /// The thumbprint of the key that it is bound to; nil for a bearer token.
  let keyID: String?
  var expires: Date
}

/// The key that a token is to be bound to: `req_cnf`.
struct RequestedKey: Decodable, Sendable {
  /// The key's thumbprint (RFC 7638).
  let kid: String

  /// Parses a token request; nil when it requests a bearer token.
  init?(_ form: Form) throws(EntraError) {
    guard form["token_type"]?.lowercased() == "pop" else { return nil }
    guard let text = form["req_cnf"] else { throw .missingParameter("req_cnf") }
    guard let data = Data(base64URL: text),
      let key = try? JSONDecoder().decode(Self.self, from: data), !key.kid.isEmpty
    else { throw .invalidParameter("req_cnf") }
    self = key
  }
}
