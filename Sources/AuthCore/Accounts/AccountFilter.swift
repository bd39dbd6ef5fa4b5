/// Which accounts to list; those that meet all that is said.
///
/// The names are those of MSAL's `MSALAccountEnumerationParameters`.
public struct AccountFilter: Sendable, Equatable {
  /// The account with this ``Account/id``.
  public var identifier: String?
  /// The accounts with this user name, in their home tenant or in another; case does not matter.
  ///
  /// There can be several: a name can stand in two tenants.
  public var username: String?
  /// The accounts that were used in the tenant with this ID, at home or as a guest.
  public var tenantID: String?
  /// The account with this ``TenantProfile/localAccountID`` in one of its tenants.
  public var tenantProfileIdentifier: String?
  /// Whether to leave out those for whom there is neither a token that is good still nor a refresh token:
  /// they have to sign in again before anything can be done.
  ///
  /// MSAL lists these too.
  public var returnOnlySignedInAccounts: Bool

  /// Lists all accounts, unless told otherwise.
  public init(
    identifier: String? = nil, username: String? = nil, tenantID: String? = nil,
    tenantProfileIdentifier: String? = nil, returnOnlySignedInAccounts: Bool = false
  ) {
    self.identifier = identifier
    self.username = username
    self.tenantID = tenantID
    self.tenantProfileIdentifier = tenantProfileIdentifier
    self.returnOnlySignedInAccounts = returnOnlySignedInAccounts
  }

  /// Whether `account` is one to list, as far as it alone tells.
  func matches(_ account: Account) -> Bool {
    if let identifier, account.id != identifier { return false }
    if let username = username?.lowercased(),
      !account.tenantProfiles.contains(where: { $0.username.lowercased() == username })
    {
      return false
    }
    if let tenantID = tenantID?.lowercased(),
      !account.tenantProfiles.contains(where: { $0.tenantID.lowercased() == tenantID })
    {
      return false
    }
    if let tenantProfileIdentifier,
      !account.tenantProfiles.contains(where: { $0.localAccountID == tenantProfileIdentifier })
    {
      return false
    }
    return true
  }
}
