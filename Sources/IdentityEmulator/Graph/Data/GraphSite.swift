/// The `site` resource.
enum GraphSite {
  private static let names = ["Contoso", "Marketing", "Engineering", "Handbook", "Archive"]

  /// The root site of a tenant, and those below it.
  static func all(in tenant: Tenant) -> [JSON] {
    names.enumerated().map { index, name in
      let title = index == 0 ? tenant.displayName : name
      let path = index == 0 ? "" : "/sites/\(name)"
      var site: JSON = [
        "id": .string(id(index, tenant)), "name": .string(index == 0 ? "" : name),
        "displayName": .string(title), "description": .string("Files and news of \(title)"),
        "createdDateTime": "2025-01-20T09:00:00Z", "lastModifiedDateTime": "2026-01-20T09:00:00Z",
        "isPersonalSite": false, "webUrl": .string("https://\(tenant.domain)\(path)"),
        "siteCollection": ["hostname": .string(tenant.domain)],
      ]
      if index == 0 { site["root"] = [:] }
      return site
    }
  }

  private static func id(_ index: Int, _ tenant: Tenant) -> String {
    let guid = GUID.derived(from: "\(tenant.id) site \(index)")
    return "\(tenant.domain),\(guid),\(GUID.derived(from: guid))"
  }
}
