public import FoundationEssentials

/// A broker's account.
public struct BrokerAccount: Sendable, Equatable {
  /// The account's ID in its home tenant.
  public var homeAccountID: HomeAccountID
  /// The host that signs the account in, when the broker returns it.
  public var environment: String?
  /// The tenant's ID, in lower case; the home tenant's when the broker returns none.
  public var tenantID: String
  /// The account's ID in that tenant.
  public var localAccountID: String
  /// The name that the user types to sign in.
  public var username: String
  /// The user's name.
  public var name: String?
  /// The account as the broker returned it, to be passed back unchanged.
  public var original: JSON

  /// Creates an account.
  public init(
    homeAccountID: HomeAccountID, environment: String?, tenantID: String, localAccountID: String,
    username: String, name: String?, original: JSON
  ) {
    self.homeAccountID = homeAccountID
    self.environment = environment
    self.tenantID = tenantID
    self.localAccountID = localAccountID
    self.username = username
    self.name = name
    self.original = original
  }
}

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

/// A token from a broker.
///
/// It never comes with a refresh token: the broker keeps that.
public struct BrokerToken: Sendable {
  /// The token to send to the API.
  public var accessToken: Secret<String>
  /// When it expires, if the broker returns that.
  public var expiresOn: Date?
  /// When it expires during an outage, if the broker returns that.
  public var extendedExpiresOn: Date?
  /// The scopes that it is valid for; nil when the broker returns none.
  public var scopes: [String]?
  /// The ID token, if there is one and it is a JWT.
  public var idToken: Secret<String>?
  /// Its account, if the broker returns it.
  public var account: BrokerAccount?
  /// The server's `client_info`, which identifies the account.
  public var clientInfo: String?

  /// Creates a token.
  public init(
    accessToken: Secret<String>, expiresOn: Date?, extendedExpiresOn: Date?, scopes: [String]?,
    idToken: Secret<String>?, account: BrokerAccount?, clientInfo: String?
  ) {
    self.accessToken = accessToken
    self.expiresOn = expiresOn
    self.extendedExpiresOn = extendedExpiresOn
    self.scopes = scopes
    self.idToken = idToken
    self.account = account
    self.clientInfo = clientInfo
  }
}
