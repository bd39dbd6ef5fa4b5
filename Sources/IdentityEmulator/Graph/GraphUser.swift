/// The `user` resource.
enum GraphUser {
  /// The properties that Graph returns by default.
  static func fields(_ user: User, in tenant: Tenant) -> [(String, JSON)] {
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
