/// A token request to a broker.
public struct BrokerTokenRequest: Sendable {
  /// The application (client) ID.
  public var clientID: String
  /// The authority of the account.
  public var authority: Authority
  /// The scopes of the API.
  public var scopes: [String]
  /// The account; nil to let the user choose.
  public var account: BrokerAccount?
  /// A user name to fill in when there is no account.
  public var loginHint: String?
  /// Which pages to show.
  public var prompt: Prompt = .promptIfNecessary
  /// The app's window, for the broker's window to stay in front of; nil when it is not known.
  public var parentWindow: ParentWindow?
  /// The JSON of the requested claims.
  public var claims: String?
  /// More query parameters for the authorization request.
  public var extraQueryParameters: [String: String] = [:]
  /// An access token that is no longer valid, so that the broker does not return it again.
  public var accessTokenToRenew: Secret<String>?
  /// The ID of the request: a UUID.
  public var correlationID: String

  /// Creates a request for `scopes`.
  public init(clientID: String, authority: Authority, scopes: [String], correlationID: String) {
    self.clientID = clientID
    self.authority = authority
    self.scopes = scopes
    self.correlationID = correlationID
  }
}
