extension Authority {
  /// The kinds of sign-in services.
  ///
  /// Later versions may add kinds: a `switch` needs a `default`.
  public struct Kind: Sendable, Hashable, CaseIterable, CustomStringConvertible {
    /// Microsoft Entra ID, with work, school and personal accounts: `https://host/tenant`.
    ///
    /// A host outside the known clouds is checked with Microsoft's instance discovery.
    public static let entra = Kind(.entra)
    /// Microsoft Entra External ID: `https://tenant.ciamlogin.com`, or a custom domain.
    public static let externalID = Kind(.externalID)
    /// Azure AD B2C: `https://tenant.b2clogin.com/tenant/policy`, `https://host/tfp/tenant/policy`,
    /// or a custom domain.
    public static let b2c = Kind(.b2c)
    /// Active Directory Federation Services, 2019 or later: `https://host/adfs`.
    public static let adfs = Kind(.adfs)
    /// Any OpenID Connect provider, by its issuer, whose path is exactly as the provider writes it.
    public static let oidc = Kind(.oidc)

    /// All kinds of this version.
    public static let allCases = Known.allCases.map { Kind($0) }

    /// The kinds of this version, for a `switch` that must handle each.
    package enum Known: String, CaseIterable {
      case entra, externalID, b2c, adfs, oidc
    }
    package let known: Known

    private init(_ known: Known) {
      self.known = known
    }

    /// The kind called `rawValue`; nil when this version has none with that name.
    public init?(rawValue: String) {
      guard let known = Known(rawValue: rawValue) else { return nil }
      self.init(known)
    }

    /// The name, for logs and programs.
    public var rawValue: String { known.rawValue }
    /// The name.
    public var description: String { rawValue }
  }
}

/// How the kinds differ in requests and responses.
extension Authority.Kind {
  /// Whether token responses contain `client_info`, which identifies the account, and requests can
  /// name an account by it.
  ///
  /// Otherwise, the account is identified by its subject (`sub`).
  var hasClientInfo: Bool { isMicrosofts }

  /// Whether Microsoft runs the service.
  package var isMicrosofts: Bool {
    switch known {
    case .entra, .externalID, .b2c: true
    case .adfs, .oidc: false
    }
  }

  /// Whether every ID token contains the tenant that issued it (`tid`).
  ///
  /// B2C's only may.
  var hasTenantClaim: Bool { self == .entra || self == .externalID }

  /// Whether the sign-out page needs the ID token to identify the account.
  ///
  /// Entra ID accepts `logout_hint` instead, which other services ignore.
  var signsOutByIDToken: Bool { !hasTenantClaim }
}
