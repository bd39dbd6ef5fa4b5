import FoundationEssentials

/// What tokens are made for: who asked for them, for whom, and where.
struct Grant: Sendable {
  let authority: Authority
  var user: User
  let tenant: Tenant
  let client: ClientRegistration
  let scopes: ScopeRequest
  /// The nonce of the authorization request; nil for a refresh.
  var nonce: String?
  let wantsClientInfo: Bool
  /// The key that the access token is to be bound to; nil for a bearer token.
  var key: RequestedKey?
  var isRefresh = false
}

/// An authorization code and what it was given for.
struct AuthorizationCode: Sendable {
  let request: AuthorizationRequest
  let user: User
  let tenant: Tenant
  var issued: Date
  var isRedeemed = false

  /// How long a code may be redeemed.
  static let lifetime: TimeInterval = 600
}

/// A refresh token.
///
/// It is bound to user, client and service, not to scopes, and with Entra not to the tenant either.
struct RefreshToken: Sendable {
  let user: User
  let clientID: String
  let authority: Authority
  let issued: Date
  var isRevoked = false
}

/// An access token as APIs know it.
struct AccessToken: Sendable {
  let user: User
  let tenant: Tenant
  let scopes: [Scope]
  /// The thumbprint of the key that it is bound to; nil for a bearer token.
  let keyID: String?
  var expires: Date
}
