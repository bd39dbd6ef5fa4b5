extension Authority {
  /// The kinds of services that sign people in.
  public enum Kind: String, Sendable, CaseIterable {
    /// Microsoft Entra ID, with work, school and personal accounts: `https://host/tenant`.
    ///
    /// Microsoft is asked about a host that is none of its clouds'.
    case entra
    /// Microsoft Entra External ID: `https://tenant.ciamlogin.com`, or a domain of one's own.
    case externalID
    /// Azure AD B2C: `https://tenant.b2clogin.com/tenant/policy`, `https://host/tfp/tenant/policy`, or a
    /// domain of one's own.
    case b2c
    /// Active Directory Federation Services, 2019 or later: `https://host/adfs`.
    case adfs
    /// Any OpenID Connect provider, by its issuer exactly as the provider writes it.
    case oidc
  }
}

/// How the kinds differ in what is sent and what comes back.
extension Authority.Kind {
  /// Whether token responses tell whose account it is (`client_info`), and requests can name one by it.
  ///
  /// Where they do not, an account is known by its subject (`sub`).
  var hasClientInfo: Bool {
    switch self {
    case .entra, .externalID, .b2c: true
    case .adfs, .oidc: false
    }
  }

  /// Whether Microsoft runs the service.
  package var isMicrosofts: Bool {
    switch self {
    case .entra, .externalID, .b2c: true
    case .adfs, .oidc: false
    }
  }

  /// Whether every ID token names the tenant that issued it (`tid`).
  ///
  /// B2C's may.
  var hasTenantClaim: Bool { self == .entra || self == .externalID }

  /// Whether `offline_access` is a scope even where the OpenID configuration does not list it.
  var alwaysHasOfflineAccess: Bool { hasClientInfo }

  /// Whether the sign-out page needs the ID token to know who signs out.
  ///
  /// Entra ID can be told by `logout_hint` instead, which says nothing to others.
  var signsOutByIDToken: Bool { !hasTenantClaim }
}
