extension Authority {
  /// The kinds of services that sign people in.
  ///
  /// A later version can have more of them: a `switch` needs a `default`.
  public struct Kind: Sendable, Hashable, CaseIterable, CustomStringConvertible {
    /// Microsoft Entra ID, with work, school and personal accounts: `https://host/tenant`.
    ///
    /// Microsoft is asked about a host that is none of its clouds'.
    public static let entra = Kind(.entra)
    /// Microsoft Entra External ID: `https://tenant.ciamlogin.com`, or a domain of one's own.
    public static let externalID = Kind(.externalID)
    /// Azure AD B2C: `https://tenant.b2clogin.com/tenant/policy`, `https://host/tfp/tenant/policy`, or a
    /// domain of one's own.
    public static let b2c = Kind(.b2c)
    /// Active Directory Federation Services, 2019 or later: `https://host/adfs`.
    public static let adfs = Kind(.adfs)
    /// Any OpenID Connect provider, by its issuer exactly as the provider writes it.
    public static let oidc = Kind(.oidc)

    /// All that there are in this version.
    public static let allCases = Known.allCases.map { Kind($0) }

    /// Those of this version, for a `switch` that has to handle each.
    package enum Known: String, CaseIterable {
      case entra, externalID, b2c, adfs, oidc
    }
    package let known: Known

    private init(_ known: Known) {
      self.known = known
    }

    /// The kind called `rawValue`; nil when this version knows none of that name.
    public init?(rawValue: String) {
      guard let known = Known(rawValue: rawValue) else { return nil }
      self.init(known)
    }

    /// The name, for logs and for programs.
    public var rawValue: String { known.rawValue }
    /// The name.
    public var description: String { rawValue }
  }
}

/// How the kinds differ in what is sent and what comes back.
extension Authority.Kind {
  /// Whether token responses tell whose account it is (`client_info`), and requests can name one by it.
  ///
  /// Where they do not, an account is known by its subject (`sub`).
  var hasClientInfo: Bool {
    switch known {
    case .entra, .externalID, .b2c: true
    case .adfs, .oidc: false
    }
  }

  /// Whether Microsoft runs the service.
  package var isMicrosofts: Bool {
    switch known {
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
