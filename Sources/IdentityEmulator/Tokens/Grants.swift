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
  var expires: Date
}
