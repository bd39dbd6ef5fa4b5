/// The authority in a path: a kind of sign-in service, and its tenant or policy.
struct Authority: Sendable, Hashable {
  let kind: AuthorityKind
  let audience: Audience
  /// The user flow; only for B2C.
  let policy: Policy?
  /// Whether B2C's issuer contains the policy too, as for paths with this prefix.
  let isPolicyInIssuer: Bool
  /// The tenant as written in the path, for messages.
  let name: String
  /// The first path component as written: the path of the pages.
  let firstSegment: String

  /// Finds the authority in a path; nil when there is none.
  ///
  /// - Parameters:
  ///   - path: any path below the authority's.
  ///   - query: the query, which for B2C may contain the policy.
  ///   - tenants: the tenants that a path can name.
  init?(path: String, query: Form, tenants: [Tenant]) {
    let segments = path.split(separator: "/").map(String.init)
    guard let first = segments.first else { return nil }
    let second = segments.count > 1 ? segments[1] : ""
    switch first.lowercased() {
    case "adfs":
      self.init(.adfs, .tenant(.federation), name: first, first)
    case "realms":
      // An issuer's path is case-sensitive (RFC 8414, section 3.3).
      guard first == "realms", second == Tenant.realm.id else { return nil }
      self.init(.oidc, .tenant(.realm), name: second, first)
    case "tfp", "te":
      guard case .tenant(.shop) = Audience(segment: second, tenants: tenants), segments.count > 2,
        let policy = Policy(named: segments[2])
      else { return nil }
      self.init(.b2c, .tenant(.shop), policy, isPolicyInIssuer: true, name: second, first)
    default:
      guard let audience = Audience(segment: first, tenants: tenants) else { return nil }
      guard case .tenant(.shop) = audience else {
        let isExternal = audience == Audience.tenant(.customers)
        self.init(isExternal ? .externalID : .entra, audience, name: first, first)
        return
      }
      guard let policy = Policy(named: query["p"] ?? second) else { return nil }
      self.init(.b2c, audience, policy, name: first, first)
    }
  }

  private init(
    _ kind: AuthorityKind, _ audience: Audience, _ policy: Policy? = nil,
    isPolicyInIssuer: Bool = false, name: String, _ firstSegment: String
  ) {
    self.kind = kind
    self.audience = audience
    self.policy = policy
    self.isPolicyInIssuer = isPolicyInIssuer
    self.name = name
    self.firstSegment = firstSegment
  }

  /// The path of the pages.
  var pages: String { "/\(Form.encode(firstSegment))" }

  /// Whether codes and tokens of `other` may be redeemed here.
  ///
  /// Entra's refresh tokens are valid for all tenants; those of other kinds only for one authority.
  func redeemsGrants(of other: Authority) -> Bool {
    kind == other.kind && policy == other.policy && (kind == .entra || audience == other.audience)
  }

  /// The home tenant of `user`.
  func home(of user: User) -> Tenant {
    if case .tenant(let tenant) = audience, kind != .entra { return tenant }
    return user.homeTenant
  }

  /// The `iss` of a tenant's ID tokens, and the issuer in the OpenID configuration.
  func issuer(tenantID: String, origin: String) -> String {
    switch kind {
    case .entra: "\(origin)/\(tenantID)/v2.0"
    // Each tenant has its own host, regardless of the request's host.
    case .externalID: "https://\(tenantID).ciamlogin.com/\(tenantID)/v2.0"
    case .b2c:
      isPolicyInIssuer
        ? "\(origin)/tfp/\(tenantID)/\((policy?.name ?? "").lowercased())/v2.0/"
        : "\(origin)/\(tenantID)/v2.0/"
    case .adfs: "\(origin)/adfs"
    case .oidc: "\(origin)/realms/\(tenantID)"
    }
  }
}
