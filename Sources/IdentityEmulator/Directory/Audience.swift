/// Whose accounts an authority lets in, told by the first segment of its path.
enum Audience: Sendable, Hashable {
  /// Work and personal accounts.
  case common
  /// Work accounts of any tenant.
  case organizations
  /// Personal accounts.
  case consumers
  /// Members and guests of one tenant.
  case tenant(Tenant)

  /// Reads the path segment: a keyword, a tenant's GUID or its domain.
  init?(segment: String) {
    switch segment.lowercased() {
    case "common": self = .common
    case "organizations": self = .organizations
    case "consumers": self = .consumers
    case let name:
      guard let tenant = Tenant.all.first(where: { $0.id == name || $0.domain == name }) else {
        return nil
      }
      self = tenant == .personal ? .consumers : .tenant(tenant)
    }
  }

  /// What stands for the tenant in the OpenID configuration's issuer.
  ///
  /// Where the tenant is only known once a user has signed in, it is a placeholder that the client
  /// fills in from the token.
  var issuerTenant: String {
    switch self {
    case .common, .organizations: "{tenantid}"
    case .consumers: Tenant.personal.id
    case .tenant(let tenant): tenant.id
    }
  }

  /// The tenant `user` signs in to through this authority, or nil when it does not let them in.
  func tenant(for user: User) -> Tenant? {
    switch self {
    case .common: user.homeTenant
    case .organizations: user.kind == .personal ? nil : user.homeTenant
    case .consumers: user.kind == .personal ? .personal : nil
    // AD FS knows who is in Contoso's own directory, and nobody else.
    case .tenant(.federation): user.homeTenant == .contoso ? .federation : nil
    case .tenant(let tenant): user.objectID(in: tenant) == nil ? nil : tenant
    }
  }
}
