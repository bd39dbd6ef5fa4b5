import FoundationEssentials

/// All stored data of one account for one app: profiles and tokens.
struct AccountRecord: Sendable {
  /// The ID in the store.
  var id: String
  var clientID: String
  var homeAccountID: HomeAccountID
  /// The ``Authority/cacheEnvironment`` of the authority that signed the account in.
  var environment: String
  /// When the user last signed in with the pages; the account with the latest time is the current
  /// account.
  var signedInAt: Date
  /// The account's profile in each tenant.
  var profiles: [Profile] = []
  var accessTokens: [AccessToken] = []
  var idTokens: [KeptIDToken] = []
  var refreshToken: Secret<String>?
  /// The ``ProofKey/stored`` form of the key that access tokens are bound to.
  var proofKey: Secret<Data>?
  /// The tenant IDs of the tenant names that were used: `contoso.com` to a GUID.
  var tenantIDs: [String: String] = [:]

  /// The account's key.
  var key: AccountKey {
    AccountKey(homeAccountID: homeAccountID.description, environment: environment)
  }

  struct Profile: Sendable, Equatable {
    var realm: String
    var localAccountID: String
    var username: String
    var name: String?
    /// Who keeps the account's refresh token, when it is not this app (`account_source`).
    var accountSource: String?

    /// The ``accountSource`` of a broker's accounts.
    static let broker = "broker"
  }

  struct AccessToken: Sendable, Equatable {
    var realm: String
    var scopes: Scopes
    var secret: Secret<String>
    var cachedAt: Date
    var expiresOn: Date
    var extendedExpiresOn: Date?
    /// When it is due for renewal, though still valid.
    var refreshOn: Date?
    /// The ``ProofKey/id`` of the key that it is bound to; nil for a bearer token.
    var keyID: String?
  }

  struct KeptIDToken: Sendable, Equatable {
    var realm: String
    var secret: Secret<String>
    /// When it expires, by this device's clock; nil when it is unknown.
    var expiresOn: Date?
  }

  /// When the user last signed in, as of `date`; 1970, when it is unknown.
  ///
  /// A time more than a year ahead is damaged, or from a clock that was very wrong. Nothing is
  /// compared with it: no later sign-in would ever count.
  func signedIn(asOf date: Date) -> Date {
    signedInAt > date + Self.largestClockError ? Date(timeIntervalSince1970: 0) : signedInAt
  }

  /// How far ahead a clock may have been, in seconds.
  private static let largestClockError = 366 * 86_400.0

  /// The account for the caller.
  ///
  /// The home tenant's profile comes first.
  var account: Account {
    let home = profiles.first { $0.realm == homeAccountID.tenantID } ?? profiles.first
    return Account(
      homeAccountID: homeAccountID, environment: environment, username: home?.username ?? "",
      name: home?.name,
      tenantProfiles: TenantProfile.all(of: self), isFromBroker: isBrokers)
  }

  /// Whether the account's tokens come from an identity broker, which also renews them.
  var isBrokers: Bool { profiles.contains { $0.accountSource == Profile.broker } }

  /// The record without everything that gives access to an API.
  var withoutSecrets: AccountRecord {
    var record = self
    (record.accessTokens, record.refreshToken, record.proofKey) = ([], nil, nil)
    return record
  }

  /// Whether it has a refresh token or a valid access token.
  func isSignedIn(at date: Date) -> Bool {
    refreshToken != nil || isBrokers || accessTokens.contains { $0.expiresOn > date }
  }

  /// Whether the account belongs to `authority`, so that its tokens may be used and renewed there.
  ///
  /// Entra ID's accounts can be used in all tenants of one cloud. Other accounts belong to their
  /// host or issuer, and to their policy.
  func isAccount(at authority: Authority) -> Bool {
    // In most calls the environment is equal, so that clouds need not be compared.
    let isThere =
      environment == authority.cacheEnvironment || key == AccountKey(homeAccountID, at: authority)
    return isThere && (authority.policy == nil || realm(for: authority) != nil)
  }

  /// The realm of `authority`'s tokens; nil for a tenant name that was not used before.
  func realm(for authority: Authority) -> String? {
    guard authority.isTenanted else { return homeAccountID.tenantID }
    if let realm = authority.cacheRealm ?? authority.realmName.flatMap({ tenantIDs[$0] }) {
      return realm
    }
    // The realm of an account that another program signed in with the policy.
    let isOfPolicy =
      authority.policy.flatMap { policy in
        homeAccountID.policy.map { caselessEqual(String($0), policy) }
      } ?? false
    return isOfPolicy ? homeAccountID.tenantID : nil
  }

  /// Whether `subject` is the account's in a tenant; true if that is unknown.
  func isSubject(_ subject: String, inTenant tenantID: String) -> Bool {
    guard let kept = idToken(realm: tenantID), let known = try? IDToken(kept.secret.exposed)["sub"]
    else { return true }
    return known == subject
  }

  /// The cached token for `realm` that has all of `scopes` and expires last, expired or not: bound
  /// to the key `keyID`, or a bearer token.
  func accessToken(realm: String, scopes: [String], keyID: String? = nil) -> AccessToken? {
    accessTokens.lazy
      .filter { $0.realm == realm && $0.keyID == keyID && $0.scopes.cover(scopes) }
      .max { $0.expiresOn < $1.expiresOn }
  }

  /// The ID token of `realm`, expired or not.
  func idToken(realm: String) -> KeptIDToken? {
    idTokens.first { $0.realm == realm }
  }

  /// Whether the ID token that belongs to `token` has expired and a renewal may return a new one:
  /// if the last renewal was after the expiry, it returned none.
  func needsIDToken(beside token: AccessToken, at date: Date, buffer: Double) -> Bool {
    guard let end = idToken(realm: token.realm)?.expiresOn else { return false }
    return end <= date + buffer && token.cachedAt + buffer < end
  }

  /// Merges a token response.
  mutating func merge(_ grant: TokenGrant) {
    let response = grant.response
    let realm = grant.tenantID
    let new = AccessToken(
      realm: realm, scopes: grant.scopes, secret: response.accessToken,
      cachedAt: grant.receivedAt, expiresOn: grant.expiresOn,
      extendedExpiresOn: response.extendedExpiresIn.map { grant.receivedAt + Double($0) },
      refreshOn: response.refreshIn.map { grant.receivedAt + Double($0) },
      keyID: grant.proofKey?.id)
    let isReplaced: (AccessToken) -> Bool = { old in
      // A token bound to a key that no longer exists is useless.
      if new.keyID != nil, old.keyID != nil, old.keyID != new.keyID { return true }
      return new.replaces(old)
    }
    // Another request with the same refresh token may have ended first, for example in another
    // process. Its tokens are kept, unless this response is later.
    let isOvertaken =
      grant.spentToken != nil && refreshToken != nil && refreshToken != grant.spentToken
      && refreshToken != response.refreshToken
    if isOvertaken,
      accessTokens.contains(where: { isReplaced($0) && $0.cachedAt >= grant.receivedAt })
    {
      return
    }
    accessTokens.removeAll(where: isReplaced)
    accessTokens.append(new)
    if let key = grant.proofKey { proofKey = key.stored }
    // If a refresh returns no refresh token, the old one remains valid (RFC 6749, section 6).
    if let token = response.refreshToken, !isOvertaken { refreshToken = token }
    if let token = grant.idToken {
      idTokens.removeAll { $0.realm == realm }
      idTokens.append(
        KeptIDToken(
          realm: realm, secret: token.text, expiresOn: token.expiry(receivedAt: grant.receivedAt)))
    }
    let profile =
      grant.brokerProfile
      ?? grant.idToken.map { token in
        Profile(
          realm: realm, localAccountID: token.localAccountID ?? "",
          username: token.username(at: grant.authority.kind), name: token["name"])
      }
    if let profile {
      profiles.removeAll { $0.realm == realm }
      profiles.append(profile)
    }
    if let name = grant.authority.realmName { tenantIDs[name] = realm }
  }
}

/// An account in memory: its record, and the values returned to callers.
///
/// It is a class, so that silent requests share it without copying its contents.
final class KnownAccount: Sendable {
  let record: AccountRecord
  let account: Account

  init(_ record: AccountRecord) {
    self.record = record
    account = record.account
  }
}
