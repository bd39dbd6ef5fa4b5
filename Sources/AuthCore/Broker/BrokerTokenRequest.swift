/// What to ask a broker for.
public struct BrokerTokenRequest: Sendable {
  /// The application (client) ID.
  public var clientID: String
  /// Where the account signs in.
  public var authority: Authority
  /// The scopes of the API to be called.
  public var scopes: [String]
  /// Whose token it is; nil to let the person choose.
  public var account: BrokerAccount?
  /// A user name to fill in when there is no account.
  public var loginHint: String?
  /// Which pages to show.
  public var prompt: Prompt = .promptIfNecessary
  /// The JSON of the claims to ask for.
  public var claims: String?
  /// More query parameters for the authorization request.
  public var extraQueryParameters: [String: String] = [:]
  /// A token that will not do any more, so that the broker does not give it again.
  public var accessTokenToRenew: Secret<String>?
  /// The ID of the request: a UUID.
  public var correlationID: String

  /// Asks for `scopes`.
  public init(clientID: String, authority: Authority, scopes: [String], correlationID: String) {
    self.clientID = clientID
    self.authority = authority
    self.scopes = scopes
    self.correlationID = correlationID
  }
}
