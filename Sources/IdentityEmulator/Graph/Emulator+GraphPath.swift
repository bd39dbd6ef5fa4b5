/// Who asks Microsoft Graph, and from where.
struct GraphCaller: Sendable {
  let token: AccessToken
  /// The user's ID.
  let id: String
  let tenant: Tenant
  /// Scheme, host, port and version.
  let base: String
  /// Scheme, host and port.
  let origin: String
}

/// Finds what a path names.
extension Emulator {
  typealias Segment = GraphPathSegments.Segment

  func resolve(_ path: [Segment], _ caller: GraphCaller) throws(GraphError) -> GraphTarget {
    var rest = path[...]
    guard case .name(let first)? = rest.popFirst() else { throw .notPlayed("this path") }
    var target = try root(first, caller)
    while let segment = rest.popFirst() { target = try step(target, segment, caller) }
    return target
  }

  private func root(_ name: String, _ caller: GraphCaller) throws(GraphError) -> GraphTarget {
    let tenant = caller.tenant
    switch name {
    case "me":
      return .entity(
        GraphEntity(key: .users(tenant), id: caller.id, context: "users", area: .me))
    case "users": return .collection(.init(key: .users(tenant), context: "users", area: .users))
    case "groups": return .collection(.init(key: .groups(tenant), context: "groups", area: .groups))
    case "organization":
      return .collection(
        .init(key: .organization(tenant), context: "organization", area: .organization))
    case "applications":
      return .collection(
        .init(key: .applications(tenant), context: "applications", area: .applications))
    case "sites":
      return .collection(
        .init(key: .sites(tenant), context: "sites", area: .sites, parameters: ["search"]))
    case "teams": return .collection(.init(key: .teams(tenant), context: "teams", area: .teams))
    case "drive": return .drive(GraphDrive.id(ofOwner: caller.id))
    case "drives": return .drives(owner: caller.id)
    default: throw .notPlayed("'\(name)'")
    }
  }

  /// What a segment leads to.
  func step(
    _ target: GraphTarget, _ segment: Segment, _ caller: GraphCaller
  ) throws(GraphError) -> GraphTarget {
    switch (target, segment) {
    case (_, .name(let name)) where Self.isQualified(name): throw .notPlayed("'\(name)'")
    case (.drives, .name(let id)): return .drive(id)
    case (.nothing(let name), _): throw .notPlayed("what is below '\(name)'")
    case (.collection(let collection), _): return try step(collection, segment, caller)
    case (.entity(let entity), .name(let name)): return try step(entity, name, caller)
    case (.entity(let entity), _): return try stepFile(entity, segment, caller)
    case (.drive(let drive), _): return try step(drive: drive, segment, caller)
    case (.property(let entity, let name, false), .name("$value")):
      return .property(entity, name, isRaw: true)
    case (.photo(let id, false), .name("$value")): return .photo(userID: id, isValue: true)
    case (.photos(let id), .name): return .photo(userID: id, isValue: false)
    case (.service(let service, let owner), .name(let name)):
      return try step(service: service, owner: owner, name)
    case (.reference(let collection, nil), .name(let id)):
      return .reference(collection, id: id)
    case (.newFile(let drive, let parent, let name, nil), .name(let action)):
      return .newFile(drive: drive, parent: parent, name: name, action: action)
    case (_, .name(let name)): throw .notPlayed("'\(name)'")
    default: throw .notPlayed("'\(segment)'")
    }
  }

  /// Whether a segment is a cast to a type, or an action with its namespace, for which `graph` is
  /// short; a user name may begin like that.
  private static func isQualified(_ name: String) -> Bool {
    (name.hasPrefix("microsoft.graph.") || name.hasPrefix("graph.")) && !name.contains("@")
  }

  // MARK: Collections

  private func step(
    _ collection: GraphCollection, _ segment: Segment, _ caller: GraphCaller
  ) throws(GraphError) -> GraphTarget {
    if case .sites = collection.key { return try step(sites: collection, segment, caller) }
    guard case .name(let name) = segment else {
      throw .notPlayed("this function of \(collection.context)")
    }
    switch name {
    case "$count": return .count(collection)
    case "delta": return .delta(collection, token: nil)
    case "$ref": return .reference(collection, id: nil)
    default: break
    }
    // Graph takes well-known names of folders, and names of users, as keys.
    var id = name
    switch collection.key {
    case .mailFolders: id = GraphMessage.folderID(name) ?? name
    case .items(let drive) where name == "root": id = GraphDrive.rootID(drive)
    case .users:
      let set = graphSet(collection.key)
      if set.bare(name) == nil {
        let wanted = name.lowercased()
        id =
          set.ids.first {
            set.bare($0)?["userPrincipalName"]?.string?.lowercased() == wanted
          } ?? name
      }
      if collection.group != nil, collection.ids?.contains(id) == true {
        var member = collection.item(id)
        member.members = collection
        return .entity(member)
      }
      if id == caller.id, collection.group == nil {
        return .entity(.init(key: collection.key, id: id, context: "users", area: .me))
      }
    default: break
    }
    let entity = collection.item(id)
    guard graphSet(collection.key).bare(id) != nil, collection.ids?.contains(id) != false else {
      throw missing(entity)
    }
    return .entity(entity)
  }

  /// The error for an item that does not exist.
  func missing(_ entity: GraphEntity) -> GraphError {
    switch entity.area {
    case .mail, .mailSending, .calendars, .contacts, .mailboxSettings, .tasks: .notInMailbox
    case .files, .sites: .noItem
    default: .notFound(entity.id)
    }
  }

  private func step(
    sites: GraphCollection, _ segment: Segment, _ caller: GraphCaller
  ) throws(GraphError) -> GraphTarget {
    let set = graphSet(sites.key)
    func entity(_ id: String?) throws(GraphError) -> GraphTarget {
      guard let id, set.bare(id) != nil else { throw .noItem }
      return .entity(.init(key: sites.key, id: id, context: "sites", area: .sites))
    }
    switch segment {
    case .name("$count"): return .count(sites)
    case .name("root"), .name(caller.tenant.domain): return try entity(set.ids.first)
    case .name(let id): return try entity(id)
    default: throw .notPlayed("this function of sites")
    }
  }

  // MARK: Items

  private func step(
    _ entity: GraphEntity, _ name: String, _ caller: GraphCaller
  ) throws(GraphError) -> GraphTarget {
    if name == "$ref", let members = entity.members {
      return .reference(members, id: entity.id)
    }
    switch entity.key {
    case .users: return try step(user: entity, name, caller)
    case .groups:
      switch name {
      case "members", "transitiveMembers":
        return .collection(
          .init(
            key: .users(caller.tenant),
            ids: graph.members(of: entity.id, in: caller.tenant, users: users),
            context: "directoryObjects", area: .members, group: entity.id))
      case "owners":
        let members = graph.members(of: entity.id, in: caller.tenant, users: users)
        return .collection(
          .init(
            key: .users(caller.tenant), ids: Array(members.prefix(1)),
            context: "directoryObjects", area: .groups))
      case "drive": return .drive(GraphDrive.id(ofOwner: entity.id))
      default: break
      }
    case .sites:
      switch name {
      case "drive": return .drive(GraphDrive.id(ofOwner: entity.id))
      case "sites":
        let set = graphSet(entity.key)
        return .collection(
          .init(
            key: entity.key, ids: entity.id == set.ids.first ? Array(set.ids.dropFirst()) : [],
            context: "sites", area: .sites))
      default: break
      }
    case .mailFolders(let owner):
      switch name {
      case "messages", "childFolders":
        let key = name == "messages" ? GraphKey.messages(owner) : entity.key
        let set = graphSet(key)
        let ids = set.ids.filter { set.bare($0)?["parentFolderId"]?.string == entity.id }
        return .collection(
          .init(
            key: key, ids: ids,
            context: "users('\(owner)')/mailFolders('\(entity.id)')/\(name)", area: .mail,
            placed: [("parentFolderId", .string(entity.id))]))
      case "messageRules":
        // Only the inbox has some.
        return .collection(
          .init(
            key: .messageRules(owner), ids: entity.id == GraphMessage.folderID("inbox") ? nil : [],
            context: "users('\(owner)')/mailFolders('\(entity.id)')/messageRules",
            area: .mailboxSettings))
      default: break
      }
    case .messages(let owner):
      switch name {
      case "attachments":
        return .collection(
          .init(
            key: .attachments(owner: owner, message: entity.id),
            context: "users('\(owner)')/messages('\(entity.id)')/attachments", area: .mail))
      case "$value": return .content(entity)
      case "send":
        return .action(
          name,
          GraphEntity(
            key: entity.key, id: entity.id, context: entity.context, area: .mailSending))
      case "move", "copy": return .action(name, entity)
      default: break
      }
    case .attachments where name == "$value": return .content(entity)
    case .calendars(let owner):
      if let target = calendar(name, owner: owner, calendar: entity.id) { return target }
    case .items: return try stepFile(entity, .name(name), caller)
    case .taskLists(let owner) where name == "tasks":
      return .collection(
        .init(
          key: .tasks(owner: owner, list: entity.id),
          context: "users('\(owner)')/todo/lists('\(entity.id)')/tasks", area: .tasks))
    case .teams where name == "channels":
      return .collection(
        .init(
          key: .channels(team: entity.id), context: "teams('\(entity.id)')/channels",
          area: .channels))
    default: break
    }
    return try property(entity, name)
  }

  func property(_ entity: GraphEntity, _ name: String) throws(GraphError) -> GraphTarget {
    guard entity.type.has(name) else { throw .notPlayed("'\(name)'") }
    return .property(entity, name, isRaw: false)
  }

  private func calendar(_ name: String, owner: String, calendar: String) -> GraphTarget? {
    guard name == "events" || name == "calendarView" else { return nil }
    let set = graphSet(.events(owner))
    let isDefault = graphSet(.calendars(owner)).ids.first == calendar
    let ids = set.ids.filter { id in
      set.bare(id)?["calendarId"]?.string.map { $0 == calendar } ?? isDefault
    }
    return .collection(
      .init(
        key: .events(owner), ids: ids, context: "users('\(owner)')/\(name)", area: .calendars,
        placed: isDefault ? [] : [("calendarId", .string(calendar))],
        parameters: name == "calendarView" ? ["startDateTime", "endDateTime"] : []))
  }

  private func step(
    user: GraphEntity, _ name: String, _ caller: GraphCaller
  ) throws(GraphError) -> GraphTarget {
    let owner = user.id
    let isMine = owner == caller.id
    func collection(
      _ key: GraphKey, _ area: GraphPermissionArea
    ) throws(GraphError) -> GraphTarget {
      // A delegated permission is for the user's own mailbox.
      guard isMine else { throw area.refusal }
      return .collection(.init(key: key, context: "users('\(owner)')/\(name)", area: area))
    }
    switch name {
    case "photo": return .photo(userID: owner, isValue: false)
    case "photos": return .photos(userID: owner)
    case "messages": return try collection(.messages(owner), .mail)
    case "mailFolders": return try collection(.mailFolders(owner), .mail)
    case "contacts": return try collection(.contacts(owner), .contacts)
    case "calendars": return try collection(.calendars(owner), .calendars)
    case "calendar", "events", "calendarView":
      guard isMine else { throw .accessDenied }
      guard let first = graphSet(.calendars(owner)).ids.first else { throw .notInMailbox }
      if name == "calendar" {
        return .entity(
          .init(
            key: .calendars(owner), id: first, context: "users('\(owner)')/calendars",
            area: .calendars))
      }
      return calendar(name, owner: owner, calendar: first) ?? .nothing(name)
    case "sendMail":
      guard isMine else { throw .accessDenied }
      return .action(
        name, GraphEntity(key: user.key, id: owner, context: "users", area: .mailSending))
    case "drive": return .drive(GraphDrive.id(ofOwner: owner))
    case "drives": return .drives(owner: owner)
    case "manager":
      guard let manager = manager(of: owner, caller.tenant) else { throw .notFound("manager") }
      return .entity(.init(key: user.key, id: manager, context: "directoryObjects", area: .users))
    case "directReports":
      return .collection(
        .init(
          key: user.key, ids: reports(of: owner, caller.tenant), context: "directoryObjects",
          area: isMine ? .relations : .users))
    case "memberOf", "transitiveMemberOf":
      let groups = graphSet(.groups(caller.tenant)).ids.filter {
        graph.members(of: $0, in: caller.tenant, users: users).contains(owner)
      }
      return .collection(
        .init(
          key: .groups(caller.tenant), ids: groups, context: "directoryObjects",
          area: isMine ? .relations : .groups))
    default:
      if let target = try service(name, of: user, caller) { return target }
      return try property(user, name)
    }
  }

  /// Everyone reports to someone who is earlier in the directory.
  private func manager(of id: String, _ tenant: Tenant) -> String? {
    let ids = graphSet(.users(tenant)).ids
    guard let index = ids.firstIndex(of: id), index > 0 else { return nil }
    return ids[(index - 1) / 8]
  }

  private func reports(of id: String, _ tenant: Tenant) -> [String] {
    let ids = graphSet(.users(tenant)).ids
    guard let index = ids.firstIndex(of: id) else { return [] }
    return Array(ids.dropFirst(index * 8 + 1).prefix(8))
  }
}

extension Emulator {
  /// Refuses a request that the token has no permission for.
  func authorize(
    _ target: GraphTarget, writes: Bool, _ caller: GraphCaller
  ) throws(GraphError) {
    let area = target.area(caller)
    let scopes = area.scopes(writes: writes)
    guard caller.token.scopes.contains(where: { scopes.contains($0.name) }) else {
      throw area.refusal
    }
    guard !writes || area != .applications || caller.isMember else { throw area.refusal }
  }
}

extension GraphTarget {
  /// The part of Graph that it is in.
  func area(_ caller: GraphCaller) -> GraphPermissionArea {
    switch self {
    case .collection(let collection), .count(let collection), .delta(let collection, _),
      .reference(let collection, _):
      collection.area
    case .entity(let entity), .property(let entity, _, _), .content(let entity),
      .action(_, let entity):
      entity.area
    case .drive, .drives, .newFile, .nothing: .files
    case .service(let name, _): name == "todo" ? .tasks : .notes
    case .photo(let id, _), .photos(let id): id == caller.id ? .me : .photos
    }
  }
}
