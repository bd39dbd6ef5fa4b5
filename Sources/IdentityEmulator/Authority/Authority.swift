/// The authority that a path names: a sign-in service, and the tenant or policy of it.
struct Authority: Sendable, Hashable {
  let kind: AuthorityKind
  let audience: Audience
  /// The user flow; only B2C has them.
  let policy: Policy?
  /// Whether the path begins as those do in which B2C's issuer names the policy, too.
  let isPolicyInIssuer: Bool
  /// The tenant as it was written, for messages.
  let name: String
  /// The first part of the path, as it was written: where the pages are.
  let firstSegment: String

  /// Finds the authority in a path; nil when there is none.
  ///
  /// - Parameters:
  ///   - path: Any path beneath the authority's.
  ///   - query: The query, in which B2C may name its policy.
  init?(path: String, query: Form = Form()) {
    let segments = path.split(separator: "/").map(String.init)
    guard let first = segments.first else { return nil }
    let second = segments.count > 1 ? segments[1] : ""
    switch first.lowercased() {
    case "adfs":
      self.init(.adfs, .tenant(.federation), name: first, first)
    case "realms":
      // An issuer's path means what it says (RFC 8414, section 3.3).
      guard first == "realms", second == Tenant.realm.id else { return nil }
      self.init(.oidc, .tenant(.realm), name: second, first)
    case "tfp", "te":
      guard case .tenant(.shop) = Audience(segment: second), segments.count > 2,
        let policy = Policy(named: segments[2])
      else { return nil }
      self.init(.b2c, .tenant(.shop), policy, isPolicyInIssuer: true, name: second, first)
    default:
      guard let audience = Audience(segment: first) else { return nil }
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

  /// Where the pages are.
  var pages: String { "/\(Form.encode(firstSegment))" }

  /// Whether what `other` gave out may be redeemed here.
  ///
  /// Entra's refresh tokens go from tenant to tenant; those of the others stay.
  func redeemsGrants(of other: Authority) -> Bool {
    kind == other.kind && policy == other.policy && (kind == .entra || audience == other.audience)
  }

  /// The tenant in which `user` has the account they sign in with.
  func home(of user: User) -> Tenant {
    if case .tenant(let tenant) = audience, kind != .entra { return tenant }
    return user.homeTenant
  }

  /// `iss` of ID tokens that a tenant issues, and the issuer in the OpenID configuration.
  func issuer(tenantID: String, origin: String) -> String {
    switch kind.known {
    case .entra: "\(origin)/\(tenantID)/v2.0"
    // Its own host for each tenant, whatever the host that was asked.
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
