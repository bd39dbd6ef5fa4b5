import FoundationEssentials

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
/// It is bound to user and client, not to scopes or tenant.
struct RefreshToken: Sendable {
  let user: User
  let clientID: String
  let issued: Date
  var isRevoked = false
}

/// An access token as Graph knows it.
struct AccessToken: Sendable {
  let user: User
  let tenant: Tenant
  let scopes: [Scope]
  var expires: Date
}
