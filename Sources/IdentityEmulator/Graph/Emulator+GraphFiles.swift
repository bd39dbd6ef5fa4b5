import FoundationEssentials

/// Paths of drives.
extension Emulator {
  func step(
    drive: String, _ segment: Segment, _ caller: GraphCaller
  ) throws(GraphError) -> GraphTarget {
    let root = GraphEntity.file(GraphDrive.rootID(drive), in: drive)
    try check(drive, caller)
    guard case .name(let name) = segment else {
      if case .filePath(let names) = segment { return try file(names, below: root) }
      if case .function("search", let inner) = segment { return search(inner, below: root) }
      throw .notPlayed("this function of drives")
    }
    switch name {
    case "root": return .entity(root)
    case "items":
      return .collection(.init(key: root.key, context: root.context, area: .files))
    case "special": return .collection(specialFolders(root))
    case "recent", "sharedWithMe", "following": return .nothing(name)
    default: throw .notPlayed("'\(name)'")
    }
  }

  /// Whether the caller may know the drive: their own, one of a group of theirs, or of a site.
  private func check(_ drive: String, _ caller: GraphCaller) throws(GraphError) {
    guard let owner = GraphDrive.owner(drive), GraphDrive.id(ofOwner: owner) == drive else {
      throw .noItem
    }
    if owner == caller.id { return }
    let tenant = caller.tenant
    if graphSet(.sites(tenant)).bare(owner) != nil { return }
    guard graphSet(.groups(tenant)).bare(owner) != nil else {
      throw graphSet(.users(tenant)).bare(owner) == nil ? .noItem : .noFilePermission
    }
  }

  /// The drive as a resource.
  func drive(_ id: String, _ caller: GraphCaller) throws(GraphError) -> JSON {
    try check(id, caller)
    let owner = GraphDrive.owner(id) ?? ""
    let user = graphSet(.users(caller.tenant)).bare(owner)
    let other =
      graphSet(.groups(caller.tenant)).bare(owner) ?? graphSet(.sites(caller.tenant)).bare(owner)
    let set = graphSet(.items(drive: id))
    let used = set.ids.reduce(0) { $0 + (set.content($1)?.count ?? 0) }
    let total = 1 << 40
    let name = (user ?? other)?["displayName"] ?? ""
    return [
      "id": .string(id), "driveType": user == nil ? "documentLibrary" : "business",
      "name": "OneDrive", "createdDateTime": "2025-02-01T09:00:00Z",
      "webUrl": "https://contoso.example/personal",
      "owner": [user == nil ? "group" : "user": ["id": .string(owner), "displayName": name]],
      "quota": [
        "total": .number(total), "used": .number(used), "remaining": .number(total - used),
        "deleted": 0, "state": "normal",
      ],
    ]
  }

  private func specialFolders(_ root: GraphEntity) -> GraphCollection {
    GraphCollection(
      key: root.key, ids: children(of: root).filter { graphSet(root.key).content($0) == nil },
      context: root.context, area: .files)
  }

  /// Whether it is a folder that exists.
  func isFolder(_ entity: GraphEntity) -> Bool {
    let set = graphSet(entity.key)
    return set.bare(entity.id) != nil && set.content(entity.id) == nil
  }

  /// The folder that a `parentReference` names by its ID or its path; nil when it names none.
  ///
  /// - Parameter drive: the drive that it is in, unless it names another.
  func folder(
    _ reference: JSON?, drive: String, _ caller: GraphCaller
  ) throws(GraphError) -> (drive: String, id: String)? {
    let wanted = reference?["driveId"]?.string ?? drive
    let folder: GraphEntity
    if let path = reference?["path"]?.string, reference?["id"] == nil {
      guard case .entity(let found) = try resolve(try GraphPathSegments.parse(path), caller) else {
        throw .noItem
      }
      folder = found
    } else {
      let id = reference?["id"]?.string ?? (wanted == drive ? nil : GraphDrive.rootID(wanted))
      guard let id else { return nil }
      try check(wanted, caller)
      folder = .file(id, in: wanted)
    }
    guard case .items(let drive) = folder.key, isFolder(folder) else { throw .noItem }
    return (drive, folder.id)
  }

  /// The IDs of what is in a folder.
  func children(of folder: GraphEntity) -> [String] {
    let set = graphSet(folder.key)
    return set.ids.filter { set.bare($0)?["parentReference"]?["id"]?.string == folder.id }
  }

  /// The item in a folder with a name; case does not matter.
  func child(_ name: String, of folder: GraphEntity) -> String? {
    let set = graphSet(folder.key)
    let wanted = name.lowercased()
    return set.ids.first { id in
      let item = set.bare(id)
      return item?["name"]?.string?.lowercased() == wanted
        && item?["parentReference"]?["id"]?.string == folder.id
    }
  }

  /// The item at a path below a folder, or the place where it can be made.
  private func file(
    _ names: [String], below folder: GraphEntity
  ) throws(GraphError) -> GraphTarget {
    var entity = folder
    for (index, name) in names.enumerated() {
      guard let id = child(name, of: entity) else {
        // Folders on the way are made by an upload.
        let rest = names[index...].joined(separator: "/")
        guard case .items(let drive) = folder.key else { throw .noItem }
        return .newFile(drive: drive, parent: entity.id, name: rest, action: nil)
      }
      entity = folder.other(id)
    }
    return .entity(entity)
  }

  func stepFile(
    _ entity: GraphEntity, _ segment: Segment, _ caller: GraphCaller
  ) throws(GraphError) -> GraphTarget {
    if case .sites = entity.key, case .filePath(let names) = segment {
      let set = graphSet(entity.key)
      let path = "/" + names.joined(separator: "/")
      guard
        let id = set.ids.first(where: {
          set.bare($0)?["webUrl"]?.string?.hasSuffix(path) == true
        })
      else { throw .noItem }
      return .entity(.init(key: entity.key, id: id, context: "sites", area: .sites))
    }
    guard case .items(let drive) = entity.key else {
      throw .notPlayed("this function of a \(entity.type.name)")
    }
    let all = GraphCollection(key: entity.key, context: entity.context, area: .files)
    switch segment {
    case .filePath(let names): return try file(names, below: entity)
    case .function("search", let inner): return search(inner, below: entity)
    case .function("delta", let inner):
      return .delta(all, token: GraphPathSegments.value(of: inner))
    case .function(let name, _): throw .notPlayed("the function '\(name)' of files")
    case .name("children"):
      return .collection(
        .init(
          key: entity.key, ids: children(of: entity),
          context: "drives('\(drive)')/items('\(entity.id)')/children", area: .files,
          placed: [("parentReference", ["driveId": .string(drive), "id": .string(entity.id)])]))
    case .name("content"): return .content(entity)
    case .name("delta"): return .delta(all, token: nil)
    case .name(let name) where ["thumbnails", "permissions", "versions"].contains(name):
      return .nothing(name)
    case .name(let name) where ["createUploadSession", "copy"].contains(name):
      return .action(name, entity)
    case .name(let name): return try property(entity, name)
    }
  }

  /// The items below a folder whose name has a text.
  private func search(_ inner: String, below folder: GraphEntity) -> GraphTarget {
    let set = graphSet(folder.key)
    let text = GraphPathSegments.value(of: inner).lowercased()
    let ids = set.ids.filter { id in
      set.bare(id)?["root"] == nil
        && set.bare(id)?["name"]?.string?.lowercased().contains(text) == true
    }
    return .collection(.init(key: folder.key, ids: ids, context: folder.context, area: .files))
  }
}
