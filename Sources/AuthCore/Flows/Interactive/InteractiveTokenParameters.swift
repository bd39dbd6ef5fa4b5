/// The parameters of an interactive token request.
public struct InteractiveTokenParameters: Sendable {
  /// The scopes of the API to be called.
  ///
  /// Those of OpenID Connect are added.
  public var scopes: [String]
  /// Shows the pages and catches the redirect.
  public var session: any WebAuthenticationSession
  /// Which pages to show.
  public var prompt: Prompt = .selectAccount
  /// The account to sign in; its user name is filled in.
  public var account: Account?
  /// A user name to fill in when there is no account.
  public var loginHint: String?
  /// The tenant's domain, to skip the page that asks for it.
  public var domainHint: String?
  /// The authority to sign in at, when not the configuration's.
  public var authority: Authority?
  /// Claims to ask for: from ``AuthenticationError/claims`` or an ``AuthenticationChallenge``.
  public var claims: ClaimsRequest?
  /// Scopes to agree to now, for tokens that will be asked for later.
  public var extraScopesToConsent: [String] = []
  /// Whether the pages forget the sign-in when they close, so that the next one starts afresh.
  public var prefersEphemeralSession = true
  /// More query parameters for the authorization request.
  ///
  /// None that the flow itself sets.
  public var extraQueryParameters: [String: String] = [:]
  /// How the API will be shown the token.
  public var authenticationScheme = AuthenticationScheme.bearer
  /// The correlation ID of the request; a new one when nil.
  public var correlationID: String?

  /// Asks for `scopes` in pages that `session` shows.
  public init(scopes: [String], session: any WebAuthenticationSession) {
    self.scopes = scopes
    self.session = session
  }
}
