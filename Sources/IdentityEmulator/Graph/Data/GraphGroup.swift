/// The `group` and `organization` resources.
enum GraphGroup {
  private static let names = [
    "Everyone", "Finance", "Customers", "Publishing", "Products", "Engineering", "Design",
    "Marketing", "Legal", "Facilities", "Book Club", "Cyclists", "First Aiders", "Works Council",
    "Interns", "Release Team", "Security", "Accessibility", "Translations", "Board",
  ]

  static func all(in tenant: Tenant) -> [JSON] {
    names.enumerated().map { index, name in
      let nickname = name.lowercased().replacing(" ", with: "-")
      let isUnified = index % 2 == 0
      return [
        "id": .string(id(index, tenant)), "createdDateTime": "2025-02-01T09:00:00Z",
        "description": .string("\(name) of \(tenant.displayName)"),
        "displayName": .string(name), "groupTypes": .array(isUnified ? ["Unified"] : []),
        "mail": isUnified ? .string("\(nickname)@\(tenant.domain)") : .null,
        "mailEnabled": .bool(isUnified), "mailNickname": .string(nickname),
        "securityEnabled": .bool(!isUnified),
        "visibility": .string(index % 3 == 0 ? "Public" : "Private"),
      ]
    }
  }

  private static func id(_ index: Int, _ tenant: Tenant) -> String {
    tenant == .contoso
      ? GUID.numbered(index, family: 0x67_726F_7570_0000)
      : GUID.derived(from: "\(tenant.id) group \(index)")
  }

  /// The members of the group with an index: everyone is in the first, and in some others.
  static func members(_ index: Int, of users: [String]) -> [String] {
    guard index > 0 else { return users }
    return users.enumerated().filter { place, _ in
      place % names.count == index || place < 3 && index <= 3
        || place % 7 == index % 7 && index > 15
    }.map(\.element)
  }

  static func organization(_ tenant: Tenant) -> JSON {
    [
      "id": .string(tenant.id), "displayName": .string(tenant.displayName),
      "createdDateTime": "2025-01-15T09:00:00Z", "tenantType": "AAD", "countryLetterCode": "US",
      "verifiedDomains": [
        [
          "name": .string(tenant.domain), "type": "Managed", "isDefault": true, "isInitial": true,
          "capabilities": "Email",
        ]
      ],
    ]
  }
}
