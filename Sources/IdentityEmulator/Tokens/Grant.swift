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
  let wantsClientInfo: Bool
  /// The key that the access token is to be bound to; nil for a bearer token.
  var key: RequestedKey?
  var isRefresh = false
}

/// An authorization code and its grant.
struct AuthorizationCode: Sendable {
  let request: AuthorizationRequest
  let user: User
  let tenant: Tenant
  var issued: Date
  var isRedeemed = false

  /// The lifetime of a code, in seconds.
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

/// An access token as seen by APIs.
struct AccessToken: Sendable {
  let user: User
  let tenant: Tenant
  let scopes: [Scope]
  /// The thumbprint of the key that it is bound to; nil for a bearer token.
  let keyID: String?
  var expires: Date
}
