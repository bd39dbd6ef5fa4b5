import FoundationEssentials

/// What Microsoft Graph has at the start: made up, and the same in every run.
struct GraphSeeds {
  let users: [User]

  typealias Seed = (item: JSON, content: GraphContent?)

  func items(_ key: GraphKey) -> [Seed] {
    switch key {
    case .users(let tenant):
      bare(
        users.filter { $0.objectID(in: tenant) != nil }.map { GraphUser.json($0, in: tenant) })
    case .groups(let tenant): bare(tenant == .personal ? [] : GraphGroup.all(in: tenant))
    case .organization(let tenant): bare([GraphGroup.organization(tenant)])
    // Those that were configured are not the tenant's.
    case .applications: []
    case .sites(let tenant): bare(tenant == .personal ? [] : GraphSite.all(in: tenant))
    case .messages(let owner): bare(user(owner).map { GraphMessage.all(for: $0) } ?? [])
    case .mailFolders: bare(GraphMessage.folders)
    case .attachments(_, let message): GraphMessage.attachments(of: message)
    case .calendars(let owner): bare(user(owner).map { GraphEvent.calendars(of: $0) } ?? [])
    case .events(let owner): bare(user(owner).map { GraphEvent.all(for: $0) } ?? [])
    case .contacts(let owner): bare(user(owner).map { GraphEvent.contacts(of: $0) } ?? [])
    case .messageRules: bare(GraphMessage.rules)
    case .people(let owner): bare(user(owner).map { GraphUser.people(around: $0) } ?? [])
    case .licenses(let owner): bare(user(owner).map { GraphUser.licenses(of: $0) } ?? [])
    case .devices(let owner): bare(user(owner).map { GraphUser.devices(of: $0) } ?? [])
    case .taskLists(let owner): bare(user(owner).map { GraphTask.lists(of: $0) } ?? [])
    case .tasks(let owner, let list):
      bare(user(owner).map { GraphTask.all(for: $0, in: list) } ?? [])
    case .notebooks(let owner): bare(user(owner).map { GraphNotebook.all(for: $0) } ?? [])
    case .teams(let tenant): bare(tenant == .personal ? [] : GraphTeam.all(in: tenant))
    case .channels(let team): bare(GraphTeam.channels(of: team))
    case .items(let drive): GraphDrive.items(of: drive)
    }
  }

  private func bare(_ items: [JSON]) -> [Seed] { items.map { ($0, nil) } }

  /// The user with an ID in any tenant.
  private func user(_ id: String) -> User? {
    users.first { user in
      user.objectIDs.keys.contains { user.graphID(in: $0) == id }
    } ?? users.first { user in Tenant.all.contains { user.graphID(in: $0) == id } }
  }
}
