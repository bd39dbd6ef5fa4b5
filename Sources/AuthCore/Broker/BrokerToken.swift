public import FoundationEssentials

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

  /// The ID of its account, if the broker returns it.
  package var homeAccountID: HomeAccountID? {
    account?.homeAccountID ?? clientInfo.flatMap(HomeAccountID.init(clientInfo:))
  }
}
