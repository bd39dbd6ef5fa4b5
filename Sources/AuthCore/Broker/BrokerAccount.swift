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
