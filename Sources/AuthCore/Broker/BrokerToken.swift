public import FoundationEssentials

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
