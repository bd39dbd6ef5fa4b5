/// Where things of an authority stand in the cache.
extension Authority {
  /// The `environment` of what is cached.
  ///
  /// It is the host, without a port where there are tenants: so all MSALs write it. One host can be several
  /// OpenID Connect issuers, each with subjects of its own: there the path is part of it.
  var cacheEnvironment: String {
    switch kind.known {
    case .entra, .externalID, .b2c: environment.withoutPort
    case .adfs: environment
    case .oidc: environment + (path.hasSuffix("/") ? String(path.dropLast()) : path)
    }
  }

  /// The `realm` of what is cached, where the authority alone tells it.
  ///
  /// AD FS and OpenID Connect have one for all.
  var cacheRealm: String? {
    switch kind.known {
    case .adfs, .oidc: tenant
    // The policy counts too, so the tenant's ID alone says too little.
    case .b2c: nil
    case .entra, .externalID: isTenanted && GUID.isValid(tenant) ? tenant : nil
    }
  }

  /// The name by which the realm is remembered once it was used; nil when ``cacheRealm`` tells it.
  var realmName: String? {
    guard isTenanted, cacheRealm == nil else { return nil }
    return policy.map { "\(tenant)/\($0)" } ?? tenant
  }
}
