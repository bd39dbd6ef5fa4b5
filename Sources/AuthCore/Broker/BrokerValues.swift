public import FoundationEssentials

/// An account as a broker tells it.
public struct BrokerAccount: Sendable, Equatable {
  /// The account's ID in its home tenant.
  public var homeAccountID: HomeAccountID
  /// The host that signs the account in, when the broker tells it.
  public var environment: String?
  /// The tenant's ID, in lower case; the home tenant's when the broker does not tell it.
  public var tenantID: String
  /// The account's ID in that tenant.
  public var localAccountID: String
  /// What the person types to sign in.
  public var username: String
  /// The person's name.
  public var name: String?
  /// The account in the broker's own words, which go back to it as they came.
  public var original: JSON

  /// Describes an account.
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

/// A token that a broker gave.
///
/// A refresh token never comes with it: the broker keeps that, and is asked again.
public struct BrokerToken: Sendable {
  /// The token to send to the API.
  public var accessToken: Secret<String>
  /// When it can no longer be used, if the broker tells.
  public var expiresOn: Date?
  /// When it can no longer be used even during an outage, if the broker tells.
  public var extendedExpiresOn: Date?
  /// The scopes it is good for; nil when the broker lists none.
  public var scopes: [String]?
  /// The ID token, when there is one that is a JWT.
  public var idToken: Secret<String>?
  /// Whose it is, if the broker tells.
  public var account: BrokerAccount?
  /// Whose it is, as the server told it (`client_info`).
  public var clientInfo: String?

  /// Describes a token.
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
