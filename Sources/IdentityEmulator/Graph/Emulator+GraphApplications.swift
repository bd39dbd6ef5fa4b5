import FoundationEssentials

extension GraphCaller {
  /// Whether the user is a member of the organization: guests and personal accounts register no
  /// applications.
  var isMember: Bool {
    tenant == token.user.homeTenant && tenant != .personal && !tenant.hasLocalAccounts
  }
}

/// Applications that Microsoft Graph was asked to create; people can sign in to them at once.
///
/// <https://learn.microsoft.com/graph/api/application-post-applications>
extension Emulator {
  /// What was configured, with the applications that exist now.
  var currentDirectory: Directory {
    var current = directory
    for tenant in directory.tenants {
      guard let set = knownGraphSet(.applications(tenant)) else { continue }
      current.clients += set.ids.compactMap { set.bare($0) }
        .map { ClientRegistration(application: $0, in: tenant) }
    }
    return current
  }

  /// The properties that a new application has by itself.
  static func newApplication(at now: JSON, in tenant: Tenant) -> JSON {
    [
      "deletedDateTime": .null, "isFallbackPublicClient": .null,
      "appId": .string(Random.guid()), "applicationTemplateId": .null,
      "identifierUris": .array([]), "createdDateTime": now,
      "publisherDomain": .string(tenant.domain),
      "signInAudience": .string(SignInAudience.everyone.rawValue), "tags": .array([]),
      "api": ["requestedAccessTokenVersion": 2, "oauth2PermissionScopes": .array([])],
      "appRoles": .array([]), "keyCredentials": .array([]), "passwordCredentials": .array([]),
      "publicClient": ["redirectUris": .array([])], "requiredResourceAccess": .array([]),
      "spa": ["redirectUris": .array([])],
      "web": ["homePageUrl": .null, "redirectUris": .array([])],
    ]
  }

  /// Refuses the body of an application whose values do not fit.
  func check(application body: JSON) throws(GraphError) {
    for name in ["id", "appId", "createdDateTime", "deletedDateTime", "publisherDomain"]
    where body[name] != nil {
      throw .requestBadRequest("Property '\(name)' is read-only and cannot be set.")
    }
    let checks: [(name: String, fits: (JSON) -> Bool)] = [
      ("displayName", { (1...256).contains($0.string?.count ?? 0) }),
      ("signInAudience", { SignInAudience(rawValue: $0.string ?? "") != nil }),
      ("isFallbackPublicClient", Self.isFlag), ("publicClient", Self.isPlatform),
      ("spa", Self.isPlatform), ("web", Self.isPlatform),
      ("requiredResourceAccess", { Self.isList($0, of: Self.isResourceAccess) }),
    ]
    for (name, fits) in checks {
      guard let value = body[name], !fits(value) else { continue }
      throw .requestBadRequest(
        "Invalid value specified for property '\(name)' of resource 'Application'.")
    }
    // Its codes are redeemed with a secret.
    guard body["web"]?["redirectUris"]?.items?.isEmpty ?? true else {
      throw .notPlayed("an application with redirect URIs of the platform Web")
    }
  }

  private static func isFlag(_ value: JSON) -> Bool {
    switch value {
    case .bool, .null: true
    default: false
    }
  }

  private static func isList(_ value: JSON, of fits: (JSON) -> Bool) -> Bool {
    value.items?.allSatisfy(fits) ?? false
  }

  /// Whether the value is a platform, with redirect URIs that are absolute and have no fragment.
  private static func isPlatform(_ value: JSON) -> Bool {
    guard value.fields != nil else { return false }
    guard let uris = value["redirectUris"] else { return true }
    return isList(uris) { uri in
      let text = uri.string ?? ""
      let scheme = text.prefix { $0 != ":" }
      return !scheme.isEmpty && scheme.count < text.count && (scheme.first?.isLetter ?? false)
        && !text.contains { $0 == "#" || $0.isWhitespace }
    }
  }

  private static func isResourceAccess(_ value: JSON) -> Bool {
    guard isGUID(value["resourceAppId"]), let access = value["resourceAccess"] else { return false }
    return isList(access) { permission in
      let type = permission["type"]?.string
      return isGUID(permission["id"]) && (type == "Scope" || type == "Role")
    }
  }

  private static func isGUID(_ value: JSON?) -> Bool {
    UUID(uuidString: value?.string ?? "") != nil
  }
}
