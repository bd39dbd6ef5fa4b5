/// The keys under which an authority's data is cached.
extension Authority {
  /// The `environment` of cache entries.
  ///
  /// It is the host, without a port for kinds with tenants, as all MSALs write it. A host can have
  /// several OpenID Connect issuers, each with its own subjects, so there it includes the path.
  var cacheEnvironment: String {
    switch kind.known {
    case .entra, .externalID, .b2c: environment.withoutPort
    case .adfs: environment
    case .oidc: environment + (path.hasSuffix("/") ? String(path.dropLast()) : path)
    }
  }

  /// The `realm` of cache entries, when it follows from the authority alone.
  ///
  /// AD FS and OpenID Connect have one realm for all accounts.
  var cacheRealm: String? {
    switch kind.known {
    case .adfs, .oidc: tenant
    // The realm depends on the policy too, so the tenant's ID is not enough.
    case .b2c: nil
    case .entra, .externalID: isTenanted && GUID.isValid(tenant) ? tenant : nil
    }
  }

  /// The name under which a realm is remembered after its first use; nil when ``cacheRealm`` is
  /// known.
  var realmName: String? {
    guard isTenanted, cacheRealm == nil else { return nil }
    return policy.map { "\(tenant)/\($0)" } ?? tenant
  }
}
