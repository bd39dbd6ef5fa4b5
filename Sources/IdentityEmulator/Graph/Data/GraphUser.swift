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

  // MARK: What belongs to a user

  /// The colleagues who are the most relevant to a user.
  static func people(around user: User) -> [JSON] {
    let others = User.demo.filter {
      $0.username != user.username && $0.homeTenant == user.homeTenant
    }
    return others.enumerated().map { index, other in
      [
        "id": .string(other.graphID(in: other.homeTenant)),
        "displayName": .string(other.displayName), "givenName": .string(other.givenName),
        "surname": .string(other.surname), "jobTitle": .optional(other.jobTitle),
        "department": .optional(department(other)),
        "officeLocation": .optional(other.officeLocation),
        "userPrincipalName": .string(other.username), "isFavorite": false,
        "scoredEmailAddresses": [
          ["address": .string(other.username), "relevanceScore": .number(30 - 5 * index)]
        ],
        "phones": .array([]),
        "personType": ["class": "Person", "subclass": "OrganizationUser"],
      ]
    }
  }

  /// The licenses of a member; a personal account has none.
  static func licenses(of user: User) -> [JSON] {
    guard user.kind != .personal else { return [] }
    return [
      [
        "id": .string(GUID.derived(from: "license \(user.username)")),
        "skuId": "05e9a617-0261-4cee-bb44-138d3ef5d965", "skuPartNumber": "SPE_E3",
        "servicePlans": [
          [
            "servicePlanId": "efb87545-963c-4e0d-99df-69c6916d9eb0",
            "servicePlanName": "EXCHANGE_S_ENTERPRISE", "provisioningStatus": "Success",
            "appliesTo": "User",
          ]
        ],
      ]
    ]
  }

  static func devices(of user: User) -> [JSON] {
    let id = GUID.derived(from: "device \(user.username)")
    return [
      [
        "id": .string(id), "deviceId": .string(GUID.derived(from: id)), "accountEnabled": true,
        "displayName": .string("\(user.givenName)’s laptop"), "operatingSystem": "Linux",
        "operatingSystemVersion": "12", "trustType": "Workplace", "isCompliant": true,
        "isManaged": true, "registrationDateTime": "2025-03-01T09:00:00Z",
      ]
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
