/// An account's profile in one tenant: its home tenant, or one where it is a guest.
public struct TenantProfile: Sendable {
  /// The tenant's ID; `adfs` for AD FS, and empty for OpenID Connect.
  public let tenantID: String
  /// The account's ID in that tenant (`oid`): MSAL's `identifier` of a profile.
  public let localAccountID: String
  /// The user name in that tenant.
  public let username: String
  /// Whether this is the account's home tenant.
  ///
  /// In any other tenant it is a guest. Without tenants, there is only a home profile.
  public let isHomeTenantProfile: Bool
  /// The tenant's domain, when a request named the tenant by it; nil when only the ID is known.
  package let domain: String?
  private var idToken: Secret<String>?

  /// The claims of the last ID token from this tenant, as an object; nil when none is kept.
  ///
  /// They are what the server stated when it issued the token. They are personal data: do not log
  /// them. Each call parses the token again.
  public var claims: JSON? {
    idToken.flatMap { try? IDToken($0.exposed) }?.claims
  }

  /// The profile without the ID token.
  var withoutClaims: TenantProfile {
    var profile = self
    profile.idToken = nil
    return profile
  }

  /// The profiles of an account, of which there can be very many.
  static func all(of record: AccountRecord) -> [TenantProfile] {
    let tokens = Dictionary(record.idTokens.map { ($0.realm, $0.secret) }) { first, _ in first }
    // A policy's name contains a slash.
    let names = record.tenantIDs.filter { $0.key.contains(".") && !$0.key.contains("/") }
    let domains = Dictionary(names.map { ($0.value, $0.key) }) { min($0, $1) }
    let home = record.homeAccountID
    return record.profiles.map { profile in
      TenantProfile(
        tenantID: profile.realm, localAccountID: profile.localAccountID,
        username: profile.username,
        isHomeTenantProfile: home.isSubject || profile.realm == home.tenantID,
        domain: domains[profile.realm], idToken: tokens[profile.realm])
    }
  }
}

extension TenantProfile: Hashable {
  /// Compares the identity and the user name, not the last token's claims.
  public static func == (one: TenantProfile, other: TenantProfile) -> Bool {
    (one.tenantID, one.localAccountID, one.username)
      == (other.tenantID, other.localAccountID, other.username)
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(tenantID)
    hasher.combine(localAccountID)
    hasher.combine(username)
  }
}
