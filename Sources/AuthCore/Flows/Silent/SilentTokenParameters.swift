/// The parameters of a silent token request.
public struct SilentTokenParameters: Sendable {
  /// The scopes of the API.
  ///
  /// The OpenID Connect scopes are added automatically, and may be among them.
  public var scopes: [String]
  /// The account.
  public var account: Account
  /// The authority, such as that of another tenant, when it is not the configuration's.
  public var authority: Authority?
  /// Whether to renew the access token although a valid one is cached.
  public var forceRefresh = false
  /// Claims to request.
  ///
  /// Cached tokens are then not used, because their claims are unknown.
  public var claims: ClaimsRequest?
  /// How the token will be presented to the API.
  ///
  /// Tokens for different schemes are cached separately.
  public var authenticationScheme = AuthenticationScheme.bearer
  /// The correlation ID; nil for a new one.
  public var correlationID: String?

  /// Requests `scopes` for `account`.
  public init(scopes: [String], account: Account) {
    self.scopes = scopes
    self.account = account
  }
}
