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
