/// A user.
public struct Person: Sendable, Equatable {
  /// The user name.
  public var username: String
  /// The display name.
  public var name: String
  /// The object ID in the home tenant (`uid`).
  public var objectID: String
  /// The home tenant (`utid`).
  public var homeTenant: String
  /// The tenant of the sign-in (`tid`).
  public var tenant: String
  /// The object ID in that tenant (`oid`).
  public var localObjectID: String

  /// Creates a user who signs in to the home tenant.
  public init(username: String, name: String, objectID: String, tenant: String) {
    self.username = username
    self.name = name
    self.objectID = objectID
    self.homeTenant = tenant
    self.tenant = tenant
    self.localObjectID = objectID
  }

  /// The same user as a guest in another tenant, with another object ID.
  public func asGuest(in tenant: String, objectID: String) -> Person {
    var guest = self
    guest.tenant = tenant
    guest.localObjectID = objectID
    return guest
  }

  /// The identifier of the account: `uid.utid`.
  public var identifier: String { "\(objectID).\(homeTenant)" }

  /// The tenant of Adele and Ben.
  public static let contoso = "f645ad92-e38d-4d1a-b510-d1b09a74a8ca"
  /// Another tenant.
  public static let fabrikam = "1d3f0a6c-77b2-4c1e-9a55-2f6d8be1c0d4"

  /// A user with a work account.
  public static let adele = Person(
    username: "adele@contoso.example", name: "Adele Vance",
    objectID: "9f4880d8-80ba-4c40-97bc-f7a23c703084", tenant: contoso)
  /// A user of the same organization.
  public static let ben = Person(
    username: "ben@contoso.example", name: "Ben Walters",
    objectID: "2c7d4e51-0a39-4f6b-8a02-5b9e1f7a3c60", tenant: contoso)
  /// A user with a personal account.
  public static let megan = Person(
    username: "megan@outlook.example", name: "Megan Bowen",
    objectID: "00000000-0000-0000-40c0-3bac188d01d1",
    tenant: "9188040d-6c67-4c5b-b112-36a304b66dad")
}
