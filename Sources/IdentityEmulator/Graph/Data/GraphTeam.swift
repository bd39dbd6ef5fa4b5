/// The `team` and `channel` resources.
enum GraphTeam {
  /// The teams of the Microsoft 365 groups, whose IDs they have.
  static func all(in tenant: Tenant) -> [JSON] {
    GraphGroup.all(in: tenant).filter { $0["groupTypes"]?.items?.isEmpty == false }.map { group in
      let names = ["id", "displayName", "description"]
      return .object(names.compactMap { name in group[name].map { (name, $0) } })
    }
  }

  static func channels(of team: String) -> [JSON] {
    ["General", "Ideas"].map { name in
      let id = GUID.derived(from: "\(team) \(name)").filter { $0 != "-" }
      return [
        "id": .string("19:\(id)@thread.tacv2"), "createdDateTime": "2025-02-01T09:00:00Z",
        "displayName": .string(name), "description": .string("About \(name)"),
        "isArchived": false, "membershipType": "standard",
      ]
    }
  }
}
