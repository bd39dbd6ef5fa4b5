import FoundationEssentials
import HTTPTypes

/// Writes to Microsoft Graph.
extension Emulator {
  func write(
    _ target: GraphTarget, _ request: Request, _ caller: GraphCaller
  ) throws(GraphError) -> Response {
    try ConflictBehavior.checkQuery(request)
    switch (request.method, target) {
    case (.post, .action(let name, let entity)):
      return try act(name, entity, request, caller)
    case (.post, .reference(let collection, nil)): return try addMember(collection, request)
    case (.delete, .reference(let collection, let id?)):
      return try removeMember(collection, id)
    case (.post, .collection(let collection)): return try create(collection, request, caller)
    case (.patch, .entity(let entity)): return try update(entity, request, caller)
    case (.delete, .entity(let entity)): return try delete(entity, request)
    case (.put, .content(let entity)):
      return try replaceContent(entity, request, caller)
    case (.put, .newFile(let drive, let parent, let name, "content")):
      let behavior = try ConflictBehavior(request) ?? .replace
      let made = try writeFile(
        name, in: drive, parent: parent, content: .bytes(request.body), behavior)
      return try shown(made.entity, made.status, caller)
    case (.post, .newFile(let drive, let parent, let name, "createUploadSession")):
      return try createUploadSession(drive, parent, name, replaces: nil, request, caller)
    case (.put, .photo): throw .notPlayed("a change of a photo")
    default: throw .methodNotAllowed
    }
  }

  // MARK: Bodies

  func body(_ request: Request) throws(GraphError) -> JSON {
    guard let json = try? JSONDecoder().decode(JSON.self, from: Data(request.body)),
      json.fields != nil
    else {
      throw .badRequest(
        "Unable to read JSON request payload. Please ensure Content-Type header "
          + "is set and payload is of valid JSON format.")
    }
    return json
  }

  /// Refuses properties that the type does not have.
  func check(_ body: JSON, _ type: GraphType) throws(GraphError) {
    for (name, _) in body.fields ?? [] {
      guard
        type.has(name) || name.hasPrefix("@") || name.contains("@odata.")
          || type.navigations.contains(name)
      else {
        throw .badRequest(
          "Invalid property '\(name)': " + type.missingProperty(name))
      }
    }
  }

  /// Refuses a change of another version than the client knows.
  func checkVersion(_ entity: GraphEntity, _ request: Request) throws(GraphError) {
    guard let wanted = request.headers[.ifMatch], wanted != "*" else { return }
    guard wanted == graphSet(entity.key).eTag(entity.id) else { throw .changed }
  }

  /// The response for an item that was written.
  func shown(
    _ entity: GraphEntity, _ status: HTTPResponse.Status, _ caller: GraphCaller
  ) throws(GraphError) -> Response {
    guard let item = item(entity.key, entity.id) else { throw missing(entity) }
    let fields = (item.fields ?? []).filter { $0.0 != "calendarId" && $0.0 != "passwordProfile" }
    return Self.graphResponse(
      with: .object(fields), context: "\(caller.base)/$metadata#\(entity.context)/$entity",
      status: status)
  }

  private static var now: String { Date().formatted(.iso8601) }

  // MARK: Items

  /// Refuses a change of what nobody can change, or of what is only read here.
  private func checkIsWritten(_ key: GraphKey) throws(GraphError) {
    switch key {
    case .organization, .sites: throw .methodNotAllowed
    case _ where key.isOnlyRead: throw .notPlayed("a change of a \(key.type.name)")
    default: break
    }
  }

  private func create(
    _ collection: GraphCollection, _ request: Request, _ caller: GraphCaller
  ) throws(GraphError) -> Response {
    try checkIsWritten(collection.key)
    guard collection.group == nil, !collection.parameters.contains("startDateTime") else {
      throw .methodNotAllowed
    }
    let body = try body(request)
    try check(body, collection.type)
    for name in collection.type.required where body[name] == nil {
      throw .requestBadRequest(
        "A value is required for property '\(name)' of resource '\(collection.type.name)'.")
    }
    switch collection.key {
    case .applications: try check(application: body)
    case .users: return try shown(collection.item(try createUser(body, caller)), .created, caller)
    case .items(let drive):
      let behavior = try ConflictBehavior(request, item: body) ?? .fail
      return try shown(
        collection.item(try createFolder(body, drive: drive, collection, behavior)), .created,
        caller)
    default: break
    }
    var item = defaults(collection.key, caller)
    var content: GraphContent?
    for (name, value) in (body.fields ?? []) + collection.placed where name != "attachments" {
      item[name] = value
    }
    let id =
      switch collection.key {
      case .groups, .applications: Random.guid()
      case .notebooks: "1-\(Random.guid())"
      default: GraphMessage.newID()
      }
    item["id"] = .string(id)
    if case .attachments(let owner, let message) = collection.key {
      let made = try attachment(body, id: id)
      (item, content) = (made.item, made.content)
      noteAttachment(of: message, owner: owner)
    }
    let made = item
    changeGraph(collection.key) {
      $0.put(made, content: content, isFirst: collection.type.name == "message")
    }
    if case .messages(let owner) = collection.key {
      try addAttachments(body["attachments"], to: id, owner: owner)
    }
    return try shown(collection.item(id), .created, caller)
  }

  /// The properties that a new item has by itself.
  func defaults(_ key: GraphKey, _ caller: GraphCaller) -> JSON {
    let now = JSON.string(Self.now)
    let times: [(String, JSON)] = [("createdDateTime", now), ("lastModifiedDateTime", now)]
    let sender = caller.token.user.emailAddress
    switch key {
    case .messages:
      return .object(
        times + [
          ("isDraft", true), ("isRead", true), ("hasAttachments", false), ("subject", ""),
          ("bodyPreview", ""), ("importance", "normal"), ("receivedDateTime", now),
          ("sentDateTime", now), ("categories", .array([])), ("toRecipients", .array([])),
          ("ccRecipients", .array([])), ("bccRecipients", .array([])),
          ("body", ["contentType": "text", "content": ""]), ("from", sender),
          ("sender", sender), ("conversationId", .string(Random.token(bytes: 12))),
          ("internetMessageId", .string("<\(Random.guid())@contoso.example>")),
          ("parentFolderId", .string(GraphMessage.folderID("drafts") ?? "")),
        ])
    case .mailFolders:
      return [
        "parentFolderId": .string(GraphMessage.folderID("msgfolderroot") ?? ""), "isHidden": false,
        "childFolderCount": 0, "totalItemCount": 0, "unreadItemCount": 0, "sizeInBytes": 0,
      ]
    case .events:
      return .object(
        times + [
          ("isAllDay", false), ("isCancelled", false), ("isOrganizer", true),
          ("showAs", "busy"), ("importance", "normal"), ("type", "singleInstance"),
          ("attendees", .array([])), ("categories", .array([])), ("organizer", sender),
        ])
    case .groups: return ["createdDateTime": now, "groupTypes": .array([])]
    case .applications: return Self.newApplication(at: now, in: caller.tenant)
    case .taskLists: return ["isOwner": true, "isShared": false, "wellknownListName": "none"]
    case .tasks:
      return .object(
        times + [
          ("status", "notStarted"), ("importance", "normal"), ("isReminderOn", false),
          ("hasAttachments", false), ("categories", .array([])),
          ("body", ["contentType": "text", "content": ""]),
        ])
    case .notebooks:
      return .object(
        times + [("isDefault", false), ("isShared", false), ("userRole", "Owner")])
    default: return .object(times)
    }
  }

  private func createUser(_ body: JSON, _ caller: GraphCaller) throws(GraphError) -> String {
    let name = body["userPrincipalName"]?.string?.lowercased() ?? ""
    guard name.hasSuffix("@\(caller.tenant.domain)"), !caller.tenant.hasLocalAccounts else {
      throw .requestBadRequest(
        "The domain portion of the userPrincipalName property is invalid. You must use one of the "
          + "verified domain names in your organization.")
    }
    guard !users.contains(where: { $0.username == name }) else {
      throw .requestBadRequest(
        "Another object with the same value for property userPrincipalName already exists.")
    }
    let words = (body["displayName"]?.string ?? name).split(separator: " ", maxSplits: 1)
    var user = User(
      username: name, givenName: body["givenName"]?.string ?? String(words.first ?? ""),
      surname: body["surname"]?.string ?? (words.count > 1 ? String(words[1]) : ""),
      kind: .work, homeTenant: caller.tenant, objectIDs: [caller.tenant: Random.guid()],
      jobTitle: body["jobTitle"]?.string)
    if let password = body["passwordProfile"]?["password"]?.string { user.password = password }
    // A set that is made later would not have the properties.
    _ = graphSet(.users(caller.tenant))
    add(user, properties: (body.fields ?? []).filter { $0.0 != "passwordProfile" })
    return user.graphID(in: caller.tenant)
  }

  private func update(
    _ entity: GraphEntity, _ request: Request, _ caller: GraphCaller
  ) throws(GraphError) -> Response {
    try checkIsWritten(entity.key)
    switch entity.key {
    case .attachments, .notebooks: throw .methodNotAllowed
    default: break
    }
    try checkVersion(entity, request)
    var body = try body(request)
    try check(body, entity.type)
    if case .applications = entity.key { try check(application: body) }
    guard var item = graphSet(entity.key).bare(entity.id) else { throw missing(entity) }
    for name in ["id", "createdDateTime"]
    where body[name] != nil && body[name]?.text != item[name]?.text {
      throw .requestBadRequest("Property '\(name)' is read-only and cannot be set.")
    }
    if case .items(let drive) = entity.key {
      let behavior = try ConflictBehavior(request, item: body) ?? .fail
      try move(&item, to: &body, in: drive, behavior, caller)
    }
    for (name, value) in body.fields ?? [] where !name.hasPrefix("@") {
      // Of a file, times are changed in part.
      guard name == "fileSystemInfo", var old = item[name] else {
        item[name] = value
        continue
      }
      for (name, value) in value.fields ?? [] { old[name] = value }
      item[name] = old
    }
    if item["lastModifiedDateTime"] != nil { item["lastModifiedDateTime"] = .string(Self.now) }
    let changed = item
    changeGraph(entity.key) { $0.put(changed) }
    // The directory answers without a body.
    if entity.type.isDirectory { return Response(status: .noContent) }
    return try shown(entity, .ok, caller)
  }

  /// Gives a file or folder the name and the folder that a change has, and takes them out of it.
  ///
  /// <https://learn.microsoft.com/graph/api/driveitem-move>
  private func move(
    _ item: inout JSON, to change: inout JSON, in drive: String, _ behavior: ConflictBehavior,
    _ caller: GraphCaller
  ) throws(GraphError) {
    let (key, id) = (GraphKey.items(drive: drive), item["id"]?.string)
    if let place = try folder(change["parentReference"], drive: drive, caller) {
      guard place.drive == drive else {
        throw .badRequest("An item cannot be moved to another drive.")
      }
      var above: String? = place.id
      while let other = above {
        guard other != id else { throw .badRequest("An item cannot be moved into itself.") }
        above = graphSet(key).bare(other)?["parentReference"]?["id"]?.string
      }
      item["parentReference"]?["id"] = .string(place.id)
    }
    let name = change["name"]?.string ?? item["name"]?.string ?? ""
    let parent = GraphEntity.file(item["parentReference"]?["id"]?.string ?? "", in: drive)
    item["name"] = .string(name)
    if let other = child(name, of: parent), other != id {
      guard behavior != .replace else { throw .notPlayed("a move that replaces an item") }
      let isFolder = item["folder"] != nil
      item["name"] = .string(try place(name, isFolder: isFolder, in: parent, behavior).name)
    }
    change["name"] = nil
    change["parentReference"] = nil
  }

  private func delete(_ entity: GraphEntity, _ request: Request) throws(GraphError) -> Response {
    try checkIsWritten(entity.key)
    switch entity.key {
    case .notebooks: throw .methodNotAllowed
    case .users where entity.area == .me:
      throw .requestBadRequest("The signed-in user cannot be deleted.")
    case .items(let drive) where entity.id == GraphDrive.rootID(drive):
      throw .methodNotAllowed
    default: break
    }
    try checkVersion(entity, request)
    remove(entity)
    return Response(status: .noContent)
  }

  private func remove(_ entity: GraphEntity) {
    if case .users(let tenant) = entity.key {
      if let user = users.first(where: { $0.graphID(in: tenant) == entity.id }) { delete(user) }
      return
    }
    // A folder goes after what is in it.
    var ids = [entity.id]
    if case .items = entity.key {
      var index = 0
      while index < ids.count {
        ids += children(of: entity.other(ids[index]))
        index += 1
      }
    }
    let all = ids.reversed()
    changeGraph(entity.key) { set in
      for id in all { set.remove(id) }
    }
  }

  // MARK: Groups

  private func addMember(
    _ collection: GraphCollection, _ request: Request
  ) throws(GraphError) -> Response {
    guard let group = collection.group else { throw .methodNotAllowed }
    let link = try body(request)["@odata.id"]?.string ?? ""
    let id = String(link.split(separator: "/").last ?? "")
    guard graphSet(collection.key).bare(id) != nil else { throw .notFound(id) }
    let members = collection.ids ?? []
    guard !members.contains(id) else {
      throw .requestBadRequest(
        "One or more added object references already exist for the following modified properties: "
          + "'members'.")
    }
    graph.setMembers(members + [id], of: group)
    return Response(status: .noContent)
  }

  private func removeMember(
    _ collection: GraphCollection, _ id: String
  ) throws(GraphError) -> Response {
    guard let group = collection.group else { throw .methodNotAllowed }
    guard let members = collection.ids, members.contains(id) else { throw .notFound(id) }
    graph.setMembers(members.filter { $0 != id }, of: group)
    return Response(status: .noContent)
  }
}
