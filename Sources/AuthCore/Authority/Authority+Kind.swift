extension Authority {
  /// The kinds of sign-in services.
  public enum Kind: String, Sendable, CaseIterable {
    /// Microsoft Entra ID, with work, school and personal accounts: `https://host/tenant`.
    ///
    /// A host outside the known clouds is checked with Microsoft's instance discovery.
    case entra
    /// Microsoft Entra External ID: `https://tenant.ciamlogin.com`, or a custom domain.
    case externalID
    /// Azure AD B2C: `https://tenant.b2clogin.com/tenant/policy`, `https://host/tfp/tenant/policy`,
    /// or a custom domain.
    case b2c
    /// Active Directory Federation Services, 2019 or later: `https://host/adfs`.
    case adfs
    /// Any OpenID Connect provider, by its issuer, exactly as the provider writes it.
    case oidc
  }
}

/// How the kinds differ in requests and responses.
extension Authority.Kind {
  /// Whether token responses contain `client_info`, which identifies the account, and requests can
  /// name an account by it.
  ///
  /// Otherwise, the account is identified by its subject (`sub`).
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

  /// Whether every ID token contains the tenant that issued it (`tid`).
  ///
  /// B2C's only may.
  var hasTenantClaim: Bool { self == .entra || self == .externalID }

  /// Whether `offline_access` is a scope even when the OpenID configuration does not list it.
  var alwaysHasOfflineAccess: Bool { hasClientInfo }

  /// Whether the sign-out page needs the ID token to identify the account.
  ///
  /// Entra ID accepts `logout_hint` instead, which other services ignore.
  var signsOutByIDToken: Bool { !hasTenantClaim }
}
