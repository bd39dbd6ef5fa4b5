/// The parameters of a silent token request.
public struct SilentTokenParameters: Sendable {
  /// The scopes of the API to be called.
  public var scopes: [String]
  /// The account to acquire a token for.
  public var account: Account
  /// The authority to acquire a token from, such as another tenant's, when not the configuration's.
  public var authority: Authority?
  /// Whether to renew the access token even when the cached one is still good.
  public var forceRefresh = false
  /// Claims to ask for.
  ///
  /// Whether a cached token has them is not known here, so the server is asked.
  public var claims: ClaimsRequest?
  /// How the API will be shown the token.
  ///
  /// Tokens for each scheme are others: one does not stand in for the other.
  public var authenticationScheme = AuthenticationScheme.bearer
  /// The correlation ID of the request; a new one when nil.
  public var correlationID: String?

  /// Asks for `scopes` for `account`.
  public init(scopes: [String], account: Account) {
    self.scopes = scopes
    self.account = account
  }
}
