/// The accounts that an authority accepts, determined by the first component of its path.
enum Audience: Sendable, Hashable {
  /// Work and personal accounts.
  case common
  /// Work accounts of any tenant.
  case organizations
  /// Personal accounts.
  case consumers
  /// Members and guests of one tenant.
  case tenant(Tenant)

  /// Parses the path component: a keyword, a tenant's GUID or its domain.
  init?(segment: String, tenants: [Tenant]) {
    switch segment.lowercased() {
    case "common": self = .common
    case "organizations": self = .organizations
    case "consumers": self = .consumers
    case let name:
      guard let tenant = tenants.first(where: { $0.id == name || $0.domain == name }) else {
        return nil
      }
      self = tenant == .personal ? .consumers : .tenant(tenant)
    }
  }

  /// The tenant in the OpenID configuration's issuer.
  ///
  /// When the tenant is unknown before the sign-in, it is a placeholder that the client replaces by
  /// the tenant in the token.
  var issuerTenant: String {
    switch self {
    case .common, .organizations: "{tenantid}"
    case .consumers: Tenant.personal.id
    case .tenant(let tenant): tenant.id
    }
  }

  /// The tenant that `user` signs in to through this authority; nil when it does not accept them.
  func tenant(for user: User) -> Tenant? {
    switch self {
    case .common: user.homeTenant
    case .organizations: user.kind == .personal ? nil : user.homeTenant
    case .consumers: user.kind == .personal ? .personal : nil
    // AD FS has only the accounts of Contoso's own directory.
    case .tenant(.federation): user.homeTenant == .contoso ? .federation : nil
    case .tenant(let tenant): user.objectID(in: tenant) == nil ? nil : tenant
    }
  }
}
