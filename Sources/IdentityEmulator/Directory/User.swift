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

  /// The `login_hint` of the user's ID tokens, which means something to the service only.
  var loginHint: String { "O." + GUID.derived(from: "login_hint \(username)") }

  /// The user's object ID in `tenant`; nil when they are not in it.
  ///
  /// In a tenant with local accounts, every user has one.
  func objectID(in tenant: Tenant) -> String? {
    objectIDs[tenant]
      ?? (tenant.hasLocalAccounts ? GUID.derived(from: "\(username) \(tenant.id)") : nil)
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

extension [User] {
  /// The user whom a `login_hint` or `logout_hint` names: by the user name, or by the claim of an
  /// ID token.
  func named(by hint: String) -> User? {
    let name = hint.lowercased()
    return first { hint.hasPrefix("O.") ? $0.loginHint == hint : $0.username == name }
  }
}
