/// The `user` resource.
enum GraphUser {
  /// The user with all properties.
  static func json(_ user: User, in tenant: Tenant) -> JSON {
    let number = Int(GUID.mix(UInt64(user.username.utf8.count)) % 28) + 1
    let more: [(String, JSON)] = [
      ("accountEnabled", true), ("userType", tenant == user.homeTenant ? "Member" : "Guest"),
      ("department", .optional(department(user))), ("companyName", .string(tenant.displayName)),
      ("city", user.officeLocation == nil ? .null : "Redmond"),
      ("country", user.officeLocation == nil ? .null : "United States"),
      ("usageLocation", user.kind == .personal ? .null : "US"),
      ("mailNickname", .string(String(user.username.prefix { $0 != "@" }))),
      ("createdDateTime", .string("2025-03-\(number < 10 ? "0" : "")\(number)T08:00:00Z")),
      ("otherMails", .array([])), ("proxyAddresses", [.string("SMTP:\(user.username)")]),
      ("assignedLicenses", .array([])), ("identities", .array([])),
    ]
    return .object(fields(user, in: tenant) + more)
  }

  /// The department, which the job title tells.
  private static func department(_ user: User) -> String? {
    switch user.jobTitle {
    case nil: nil
    case "Accountant", "Analyst": "Finance"
    case "Sales Representative", "Support Engineer": "Customers"
    case "Editor", "Translator", "Writer": "Publishing"
    default: "Products"
    }
  }

  /// The properties that Graph returns by default.
  private static func fields(_ user: User, in tenant: Tenant) -> [(String, JSON)] {
    [
      ("businessPhones", .array([])),
      ("displayName", .string(user.displayName)),
      ("givenName", .string(user.givenName)),
      ("jobTitle", .optional(user.jobTitle)),
      ("mail", .string(user.username)),
      ("mobilePhone", .optional(user.mobilePhone)),
      ("officeLocation", .optional(user.officeLocation)),
      ("preferredLanguage", user.kind == .personal ? .null : "en-US"),
      ("surname", .string(user.surname)),
      ("userPrincipalName", .string(principalName(user, in: tenant))),
      ("id", .string(user.graphID(in: tenant))),
    ]
  }

  /// A guest's name is the one at home, followed by `#EXT#` and the domain of the host.
  private static func principalName(_ user: User, in tenant: Tenant) -> String {
    guard tenant != user.homeTenant else { return user.username }
    let name = String(user.username.map { $0 == "@" ? "_" : $0 })
    return "\(name)#EXT#@\(tenant.domain)"
  }
}

extension User {
  /// The user as a sender, a recipient or an attendee.
  var emailAddress: JSON {
    ["emailAddress": ["name": .string(displayName), "address": .string(username)]]
  }
}
