/// A tenant to configure.
public struct TenantRegistration: Sendable, Hashable {
  /// The tenant ID, a GUID.
  public var id: String
  /// The domain, which can replace the ID in an authority.
  public var domain: String
  /// The name of the organization.
  public var displayName: String

  /// Creates a registration.
  public init(id: String, domain: String, displayName: String) {
    self.id = id
    self.domain = domain
    self.displayName = displayName
  }
}

/// A user to configure: a member of the tenant with the domain of the user name.
public struct UserRegistration: Sendable, Hashable {
  /// The user name: `name@domain`.
  public var username: String
  /// The given name.
  public var givenName: String
  /// The surname.
  public var surname: String
  /// The password; nil for that of the demo users.
  public var password: String?
  /// The object ID; nil for one made of the user name.
  public var objectID: String?
  /// The job title.
  public var jobTitle: String?

  /// Creates a registration.
  public init(
    username: String, givenName: String, surname: String, password: String? = nil,
    objectID: String? = nil, jobTitle: String? = nil
  ) {
    self.username = username
    self.givenName = givenName
    self.surname = surname
    self.password = password
    self.objectID = objectID
    self.jobTitle = jobTitle
  }
}

extension Tenant {
  init(_ registration: TenantRegistration) {
    self.init(
      id: registration.id.lowercased(), domain: registration.domain.lowercased(),
      displayName: registration.displayName)
  }
}

extension User {
  /// A configured user; nil without a tenant of that domain.
  init?(_ registration: UserRegistration, tenants: [Tenant]) {
    let username = registration.username.lowercased()
    let domain = username.split(separator: "@").last ?? ""
    guard let tenant = tenants.first(where: { $0.domain == domain }) else { return nil }
    let objectID = registration.objectID?.lowercased() ?? GUID.derived(from: username)
    self.init(
      username: username, givenName: registration.givenName, surname: registration.surname,
      kind: tenant == .personal ? .personal : .work, homeTenant: tenant,
      objectIDs: [
        tenant: tenant == .personal ? "00000000-0000-0000-" + objectID.dropFirst(19) : objectID
      ],
      jobTitle: registration.jobTitle)
    if let password = registration.password { self.password = password }
  }
}
