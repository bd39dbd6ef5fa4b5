/// What to ask for in a silent request.
public struct SilentTokenParameters: Sendable {
  /// The scopes of the API to be called.
  public var scopes: [String]
  /// Whose token it is.
  public var account: Account
  /// The tenant to get a token for, when not the configuration's.
  public var authority: Authority?
  /// Whether to ask the server though a token is cached.
  public var forceRefresh = false
  /// Claims to ask for.
  ///
  /// Whether a cached token has them is not known here, so the server is asked.
  public var claims: ClaimsRequest?
  /// How the API will be shown the token.
  ///
  /// Tokens for each scheme are others: one does not stand in for the other.
  public var authenticationScheme = AuthenticationScheme.bearer
  /// The ID of the request; a new one when nil.
  public var correlationID: String?

  /// Asks for `scopes` for `account`.
  public init(scopes: [String], account: Account) {
    self.scopes = scopes
    self.account = account
  }
}
