import FoundationEssentials

/// All that is kept of one account for one app: profiles and tokens.
struct AccountRecord: Sendable {
  /// The name in the store.
  var id: String
  var clientID: String
  var homeAccountID: HomeAccountID
  /// ``Authority/cacheEnvironment`` of what signed the account in.
  var environment: String
  /// When the person last went through the pages; the latest is the current account.
  var signedInAt: Date
  /// What the account is in each tenant.
  var profiles: [Profile] = []
  var accessTokens: [AccessToken] = []
  var idTokens: [KeptIDToken] = []
  var refreshToken: Secret<String>?
  /// The IDs behind the tenant names that were used: `contoso.com` to a GUID.
  var tenantIDs: [String: String] = [:]

  struct Profile: Sendable, Equatable {
    var realm: String
    var localAccountID: String
    var username: String
    var name: String?
  }

  struct AccessToken: Sendable, Equatable {
    var realm: String
    var scopes: Scopes
    var secret: Secret<String>
    var cachedAt: Date
    var expiresOn: Date
    var extendedExpiresOn: Date?
    /// When to renew it, though it can be used for longer.
    var refreshOn: Date?
  }

  struct KeptIDToken: Sendable, Equatable {
    var realm: String
    var secret: Secret<String>
  }

  /// The account for the caller.
  ///
  /// The home tenant's profile comes first.
  var account: Account {
    let home = profiles.first { $0.realm == homeAccountID.tenantID } ?? profiles.first
    return Account(
      homeAccountID: homeAccountID, environment: environment, username: home?.username ?? "",
      name: home?.name,
      tenantProfiles: profiles.map {
        TenantProfile(
          tenantID: $0.realm, localAccountID: $0.localAccountID, username: $0.username)
      })
  }

  /// Whether the account is one at `authority`, so that its tokens may be used and renewed there.
  ///
  /// Entra ID's accounts go from tenant to tenant of one cloud. Others stay with their host or issuer,
  /// and with their policy.
  func isAccount(at authority: Authority) -> Bool {
    accountID
      == UnifiedTokenCache.AccountID(
        homeAccountID: homeAccountID.description, environment: authority.cacheEnvironment)
      && (authority.policy == nil || realm(for: authority) != nil)
  }

  /// The tenant whose tokens `authority` stands for; nil when a name was not used before.
  func realm(for authority: Authority) -> String? {
    guard authority.isTenanted else { return homeAccountID.tenantID }
    return authority.cacheRealm ?? authority.realmName.flatMap { tenantIDs[$0] }
  }

  /// A cached token for `realm` that has all of `scopes`, expired or not.
  func accessToken(realm: String, scopes: Scopes) -> AccessToken? {
    let scopes = scopes.withoutOpenID
    return accessTokens.first { $0.realm == realm && $0.scopes.contains(scopes) }
  }

  /// Takes in what a token response brought.
  mutating func merge(_ grant: TokenGrant) {
    let response = grant.response
    let realm = grant.tenantID
    accessTokens.removeAll { token in
      token.realm == realm
        && token.scopes.withoutOpenID.list.contains { grant.scopes.contains($0) }
    }
    accessTokens.append(
      AccessToken(
        realm: realm, scopes: grant.scopes, secret: response.accessToken,
        cachedAt: grant.receivedAt, expiresOn: grant.expiresOn,
        extendedExpiresOn: response.extendedExpiresIn.map { grant.receivedAt + Double($0) },
        refreshOn: response.refreshIn.map { grant.receivedAt + Double($0) }))
    // A refresh that brings no new token leaves the old one good (RFC 6749, section 6).
    if let token = response.refreshToken { refreshToken = token }
    if let token = response.idToken {
      idTokens.removeAll { $0.realm == realm }
      idTokens.append(KeptIDToken(realm: realm, secret: token))
    }
    let profile = Profile(
      realm: realm, localAccountID: grant.idToken.localAccountID ?? "",
      username: grant.idToken.username(at: grant.authority.kind), name: grant.idToken["name"])
    profiles.removeAll { $0.realm == realm }
    profiles.append(profile)
    if let name = grant.authority.realmName { tenantIDs[name] = realm }
    if grant.isInteractive { signedInAt = grant.receivedAt }
  }
}
