/// Someone who signed in here, and whose tokens are kept.
///
/// Two accounts are the same when both ``homeAccountID`` and ``environment`` are: a user name can
/// change hands and can stand in two tenants.
public struct Account: Sendable, Identifiable {
  /// The account's ID in its home tenant, the same for all apps and tenants.
  public let homeAccountID: HomeAccountID
  /// The host that signed the account in.
  ///
  /// For OpenID Connect it is the whole issuer, without its scheme.
  public let environment: String
  /// What the person types to sign in.
  ///
  /// To be shown, never to be compared.
  public let username: String
  /// The person's name, when the ID token tells it.
  public let name: String?
  /// What the account is in each tenant that it was used in: its home, and those where it is a guest.
  public let tenantProfiles: [TenantProfile]
  /// Whether its tokens come from this computer's identity broker, see ``TokenBroker``.
  public let isFromBroker: Bool
  /// What tells it from all others, under any host of its cloud.
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

  /// The claims of the home tenant's ID token; nil when no token of it is kept.
  ///
  /// See ``TenantProfile/claims``.
  public var accountClaims: JSON? {
    tenantProfiles.first(where: \.isHomeTenantProfile)?.claims
  }

  /// The account without its ID tokens: all that is left of it when it signs out.
  var withoutClaims: Account {
    Account(
      homeAccountID: homeAccountID, environment: environment, username: username, name: name,
      tenantProfiles: tenantProfiles.map(\.withoutClaims), isFromBroker: isFromBroker)
  }

  /// Whether this is a personal Microsoft account.
  public var isPersonal: Bool { homeAccountID.tenantID == Authority.personalAccountsTenant }
}

extension Account: Hashable {
  /// Compares the two parts of an account's identity.
  public static func == (one: Account, other: Account) -> Bool {
    one.homeAccountID == other.homeAccountID && one.environment == other.environment
  }

  /// Hashes what is compared.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(homeAccountID)
    hasher.combine(environment)
  }
}
