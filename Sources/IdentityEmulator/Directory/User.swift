/// A user.
struct User: Sendable, Hashable {
  /// What kind of account it is.
  enum Kind: String, Sendable {
    /// A member of one organization.
    case work
    /// A personal account.
    case personal
    /// A member of one organization who is a guest in another.
    case guest
  }

  /// The user name.
  let username: String
  let givenName: String
  let surname: String
  let kind: Kind
  /// The user's home tenant.
  let homeTenant: Tenant
  /// The user's object ID in each of their tenants.
  ///
  /// A guest has a different one than at home.
  let objectIDs: [Tenant: String]
  var jobTitle: String?
  var mobilePhone: String?
  var officeLocation: String?
  /// The background color of the profile photo as `0xRRGGBB`; nil without a photo.
  var photoColor: UInt32?
  /// The password, which the sign-in page asks for.
  var password = User.demoPassword

  /// The whole name.
  var displayName: String { surname.isEmpty ? givenName : "\(givenName) \(surname)" }

  /// The user's object ID in `tenant`; nil when they are not in it.
  ///
  /// In a tenant with local accounts, every user has a fixed one.
  func objectID(in tenant: Tenant) -> String? {
    guard tenant.hasLocalAccounts else { return objectIDs[tenant] }
    return GUID.derived(from: "\(username) \(tenant.id)")
  }

  /// The user's ID in Graph.
  ///
  /// For a personal account, it is the short form of the object ID.
  func graphID(in tenant: Tenant) -> String {
    let objectID = objectID(in: tenant) ?? ""
    guard tenant == .personal else { return objectID }
    return objectID.split(separator: "-").suffix(2).joined()
  }
}
