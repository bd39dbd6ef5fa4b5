import Crypto
import FoundationEssentials

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

  /// The user's object ID in `tenant`; nil when they are not in it.
  ///
  /// In a tenant with accounts of its own everyone has one that stays the same.
  func objectID(in tenant: Tenant) -> String? {
    guard tenant.hasLocalAccounts else { return objectIDs[tenant] }
    let digest = Data(SHA256.hash(data: Data("\(username) \(tenant.id)".utf8)).prefix(16))
    let hex = digest.map { String($0, radix: 16) }.map { $0.count == 1 ? "0\($0)" : $0 }
    return [hex[0..<4], hex[4..<6], hex[6..<8], hex[8..<10], hex[10..<16]]
      .map { $0.joined() }.joined(separator: "-")
  }

  /// The ID that Graph shows.
  ///
  /// For a personal account it is the short form of the object ID.
  func graphID(in tenant: Tenant) -> String {
    let objectID = objectID(in: tenant) ?? ""
    guard tenant == .personal else { return objectID }
    return objectID.split(separator: "-").suffix(2).joined()
  }
}
