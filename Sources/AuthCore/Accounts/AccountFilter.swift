/// Selects accounts; an account must meet all conditions.
///
/// The names are those of MSAL's `MSALAccountEnumerationParameters`.
public struct AccountFilter: Sendable, Equatable {
  /// The account with this ``Account/id``.
  public var identifier: String?
  /// The accounts with this user name in any of their tenants; case-insensitive.
  ///
  /// There can be several: a name can exist in two tenants.
  public var username: String?
  /// The accounts that were used in the tenant with this ID, as a member or as a guest.
  public var tenantID: String?
  /// The account with this ``TenantProfile/localAccountID`` in one of its tenants.
  public var tenantProfileIdentifier: String?
  /// Whether to omit accounts that have neither a valid access token nor a refresh token.
  ///
  /// Such accounts need a sign-in before they can be used. MSAL omits them by default: it lists the
  /// accounts with a refresh token.
  public var returnOnlySignedInAccounts: Bool

  /// Creates a filter; by default, it selects all accounts.
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

  /// Whether `account` matches, apart from ``returnOnlySignedInAccounts``.
  func matches(_ account: Account) -> Bool {
    func hasProfile(_ wanted: String?, _ value: (TenantProfile) -> String) -> Bool {
      guard let wanted else { return true }
      return account.tenantProfiles.contains { value($0) == wanted }
    }
    return (identifier == nil || identifier == account.id)
      && hasProfile(username?.lowercased(), { $0.username.lowercased() })
      && hasProfile(tenantID?.lowercased(), { $0.tenantID.lowercased() })
      && hasProfile(tenantProfileIdentifier, { $0.localAccountID })
  }
}
