/// The parameters of an interactive token request.
public struct InteractiveTokenParameters: Sendable {
  /// The scopes of the API.
  ///
  /// The OpenID Connect scopes are added automatically, and may be among them.
  public var scopes: [String]
  /// Shows the pages and catches the redirect.
  public var session: any WebAuthenticationSession
  /// The app's window, for the windows of this computer's identity broker to stay in front of.
  ///
  /// The pages do not need it.
  public var parentWindow: ParentWindow?
  /// Which pages to show.
  public var prompt: Prompt = .selectAccount
  /// The account to sign in; its user name is filled in.
  ///
  /// Use it with the prompts ``Prompt/promptIfNecessary`` and ``Prompt/login``: with
  /// ``Prompt/selectAccount``, Microsoft's pages ask for the account all the same.
  ///
  /// The user can still sign in with another one: compare ``AuthenticationResult/account``.
  public var account: Account?
  /// A user name to fill in when there is no account.
  public var loginHint: String?
  /// The tenant's domain, to skip the page that asks for it.
  public var domainHint: String?
  /// The authority, when it is not the configuration's.
  public var authority: Authority?
  /// Claims to request: from ``AuthenticationError/claims`` or an ``AuthenticationChallenge``.
  public var claims: ClaimsRequest?
  /// Scopes to consent to now, for tokens that will be requested later.
  public var extraScopesToConsent: [String] = []
  /// Whether the pages discard their session when they close, so that the next sign-in starts
  /// without it.
  public var prefersEphemeralSession = true
  /// More query parameters for the authorization request.
  ///
  /// Parameters that the flow sets are not allowed.
  public var extraQueryParameters: [String: String] = [:]
  /// How the token will be presented to the API.
  public var authenticationScheme = AuthenticationScheme.bearer
  /// The correlation ID; nil for a new one.
  public var correlationID: String?

  /// Requests `scopes` in pages that `session` shows.
  public init(scopes: [String], session: any WebAuthenticationSession) {
    self.scopes = scopes
    self.session = session
  }
}
