/// An account that has signed in here, and whose tokens are kept.
///
/// Accounts are equal when both ``homeAccountID`` and ``environment`` are equal. A user name is no
/// identity: it can be reassigned, and can exist in two tenants.
public struct Account: Sendable, Identifiable {
  /// The account's ID in its home tenant, the same for all apps and tenants.
  public let homeAccountID: HomeAccountID
  /// The host that signed the account in.
  ///
  /// For OpenID Connect, this is the whole issuer without its scheme.
  public let environment: String
  /// The name that the user types to sign in.
  ///
  /// For display only, never for comparison.
  public let username: String
  /// The user's name, when the ID token contains it.
  public let name: String?
  /// The account's profile in each tenant that it was used in: its home tenant, and those where it
  /// is a guest.
  public let tenantProfiles: [TenantProfile]
  /// Whether its tokens come from this computer's identity broker; see ``TokenBroker``.
  public let isFromBroker: Bool
  /// The account's identity, the same for all hosts of its cloud.
  let key: AccountKey

  init(
    homeAccountID: HomeAccountID, environment: String, username: String, name: String?,
    tenantProfiles: [TenantProfile], isFromBroker: Bool
  ) {
    self.homeAccountID = homeAccountID
    self.environment = environment
    self.username = username
    self.name = name
    self.tenantProfiles = tenantProfiles
    self.isFromBroker = isFromBroker
    key = AccountKey(
      homeAccountID: homeAccountID.description, environment: environment)
  }

  /// ``homeAccountID`` as text: MSAL's `identifier`.
  public var id: String { key.homeAccountID }

  /// The claims of the home tenant's ID token; nil when that token is not kept.
  ///
  /// See ``TenantProfile/claims``.
  public var accountClaims: JSON? {
    tenantProfiles.first(where: \.isHomeTenantProfile)?.claims
  }

  /// The account without its ID tokens, as it is kept after it signs out.
  var withoutClaims: Account {
    Account(
      homeAccountID: homeAccountID, environment: environment, username: username, name: name,
      tenantProfiles: tenantProfiles.map(\.withoutClaims), isFromBroker: isFromBroker)
  }

  /// Whether this is a personal Microsoft account.
  public var isPersonal: Bool { homeAccountID.tenantID == Authority.personalAccountsTenant }
}

extension Account: Hashable {
  /// Compares home account ID and environment.
  public static func == (one: Account, other: Account) -> Bool {
    one.homeAccountID == other.homeAccountID && one.environment == other.environment
  }

  /// Hashes home account ID and environment.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(homeAccountID)
    hasher.combine(environment)
  }
}

/// The account that signed in last, and the one before it.
public struct CurrentAccount: Sendable, Equatable {
  /// The current account; nil when no one is signed in.
  public var current: Account?
  /// The account that the previous call reported, when it was a different one.
  public var previous: Account?
}
