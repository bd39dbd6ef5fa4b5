/// A person who can sign in.
struct User: Sendable, Hashable {
  /// What kind of account it is.
  enum Kind: String, Sendable {
    /// A member of one organisation.
    case work
    /// A personal account.
    case personal
    /// A member of one organisation who is a guest in another.
    case guest
  }

  /// The name to sign in with.
  let username: String
  let givenName: String
  let surname: String
  let kind: Kind
  /// The tenant that holds the account and its password.
  let homeTenant: Tenant
  /// The user's object ID in each tenant they are in.
  ///
  /// A guest has another one than at home.
  let objectIDs: [Tenant: String]
  var jobTitle: String?
  var mobilePhone: String?
  var officeLocation: String?
  /// The background of the profile photo as `0xRRGGBB`; nil for a user without a photo.
  var photoColour: UInt32?

  /// The whole name.
  var displayName: String { surname.isEmpty ? givenName : "\(givenName) \(surname)" }

  /// The object ID at home, which is `uid` in `client_info`.
  var homeObjectID: String { objectIDs[homeTenant] ?? "" }

  /// The ID that Graph shows.
  ///
  /// For a personal account it is the short form of the object ID.
  func graphID(in tenant: Tenant) -> String {
    let objectID = objectIDs[tenant] ?? homeObjectID
    guard tenant == .personal else { return objectID }
    return objectID.split(separator: "-").suffix(2).joined()
  }
}
