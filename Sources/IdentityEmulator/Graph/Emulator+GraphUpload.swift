import FoundationEssentials
import HTTPTypes

/// A file that is uploaded in fragments.
struct UploadSession: Sendable {
  let drive: String
  let parent: String
  let name: String
  /// The item that gets the content; nil for a new file.
  let replaces: String?
  /// What happens when there is a file with the name at the end.
  let behavior: ConflictBehavior
  var content: [UInt8] = []
  var expires = Date().addingTimeInterval(lifetime)

  /// How long a session lives after its last fragment.
  static let lifetime: TimeInterval = 3600

  var json: JSON {
    [
      "expirationDateTime": .string(expires.formatted(.iso8601)),
      "nextExpectedRanges": [.string("\(content.count)-")],
    ]
  }
}

/// Files that are written.
extension Emulator {
  /// Writes a file, and makes the folders on the way to it that do not exist.
  ///
  /// - Parameters:
  ///   - name: the name, after those of the folders.
  ///   - behavior: what happens when there is a file with the name.
  /// - Returns: the file, and the status of the response.
  func writeFile(
    _ name: String, in drive: String, parent: String, content: GraphContent,
    _ behavior: ConflictBehavior
  ) throws(GraphError) -> (entity: GraphEntity, status: HTTPResponse.Status) {
    var folder = GraphEntity.file(parent, in: drive)
    let names = name.split(separator: "/").map(String.init)
    guard let last = names.last else { throw .badRequest("A file needs a name.") }
    for name in names.dropLast() {
      guard isFolder(folder) else { throw .noItem }
      if let id = child(name, of: folder) {
        folder = folder.other(id)
      } else {
        folder = add(name, to: folder, drive: drive, content: nil)
      }
    }
    guard isFolder(folder) else { throw .noItem }
    let place = try place(last, in: folder, behavior)
    guard let id = place.replaced else {
      return (add(place.name, to: folder, drive: drive, content: content), .created)
    }
    let file = folder.other(id)
    guard !isFolder(file) else { throw .nameExists }
    setContent(content, of: file)
    return (file, .ok)
  }

  private func add(
    _ name: String, to folder: GraphEntity, drive: String, content: GraphContent?
  ) -> GraphEntity {
    let id = "01" + Random.guid().filter { $0 != "-" }.uppercased().prefix(24)
    let item = GraphDrive.new(
      id: id, name: name, drive: drive, parent: folder.id, size: content?.count,
      at: Date().formatted(.iso8601))
    changeGraph(folder.key) { $0.put(item, content: content) }
    return folder.other(id)
  }

  func createFolder(
    _ body: JSON, drive: String, _ collection: GraphCollection, _ behavior: ConflictBehavior
  ) throws(GraphError) -> String {
    let parent = collection.placed.first { $0.0 == "parentReference" }?.1["id"]?.string
    guard let parent, let name = body["name"]?.string, !name.isEmpty, body["folder"] != nil else {
      throw .badRequest(
        "A folder is made with its name and 'folder' below the children of another.")
    }
    let folder = collection.item(parent)
    let place = try place(name, isFolder: true, in: folder, behavior)
    return place.replaced ?? add(place.name, to: folder, drive: drive, content: nil).id
  }

  /// Gives a file another content.
  func setContent(_ content: GraphContent, of entity: GraphEntity) {
    changeGraph(entity.key) { set in
      guard var item = set.bare(entity.id) else { return }
      item["size"] = .number(content.count)
      item["lastModifiedDateTime"] = .string(Date().formatted(.iso8601))
      set.put(item, content: content)
    }
  }

  func replaceContent(
    _ entity: GraphEntity, _ request: Request, _ caller: GraphCaller
  ) throws(GraphError) -> Response {
    guard case .items(let drive) = entity.key, graphSet(entity.key).content(entity.id) != nil
    else { throw .methodNotAllowed }
    try checkVersion(entity, request)
    let behavior = try ConflictBehavior(request) ?? .replace
    guard behavior == .replace else {
      let item = graphSet(entity.key).bare(entity.id)
      let made = try writeFile(
        item?["name"]?.string ?? "", in: drive,
        parent: item?["parentReference"]?["id"]?.string ?? "", content: .bytes(request.body),
        behavior)
      return try shown(made.entity, made.status, caller)
    }
    setContent(.bytes(request.body), of: entity)
    return try shown(entity, .ok, caller)
  }

  // MARK: Upload sessions

  func createUploadSession(
    _ drive: String, _ parent: String, _ name: String, replaces: String?, _ request: Request,
    _ caller: GraphCaller
  ) throws(GraphError) -> Response {
    let body = try? JSONDecoder().decode(JSON.self, from: Data(request.body))
    if !request.body.isEmpty, body == nil { throw .badRequest("The body is not JSON.") }
    let behavior = try ConflictBehavior(request, item: body?.parameter("item")) ?? .replace
    if let replaces {
      let file = GraphEntity.file(replaces, in: drive)
      guard behavior != .fail, !isFolder(file) else { throw .nameExists }
      try checkVersion(file, request)
    }
    let id = Random.token()
    let session = UploadSession(
      drive: drive, parent: parent, name: name, replaces: behavior == .replace ? replaces : nil,
      behavior: behavior)
    graph.uploads[id] = session
    var json = session.json
    json["uploadUrl"] = .string("\(transferOrigin)/drive/upload/\(id)")
    return Self.graphResponse(
      with: json, context: "\(caller.base)/$metadata#microsoft.graph.uploadSession")
  }

  func uploadSession(_ id: String) throws(GraphError) -> UploadSession {
    guard let session = graph.uploads[id], session.expires > Date() else {
      graph.uploads[id] = nil
      throw GraphError(
        status: .notFound, code: "itemNotFound",
        message: "The upload session was not found: it has ended or expired.")
    }
    return session
  }

  func deleteUpload(_ id: String) -> Bool { graph.uploads.removeValue(forKey: id) != nil }

  /// Adds a fragment, which must be the next one.
  func receive(_ request: Request, upload id: String) throws(GraphError) -> Response {
    var session = try uploadSession(id)
    // bytes 0-25/128
    let words = request.headers[.contentRange]?.split { " -/".contains($0) } ?? []
    let count = request.body.count
    // An empty file has no first byte.
    if words.isEmpty, count == 0, session.content.isEmpty { return try finish(id, session) }
    guard words.count == 4, let first = Int(words[1]), let last = Int(words[2]),
      let size = Int(words[3]), last >= first, last - first == count - 1, last < size
    else { throw .badRequest("The Content-Range header is missing, or not that of the body.") }
    guard last + 1 == size || count % (320 << 10) == 0 else {
      throw .badRequest("The size of a fragment that is not the last is a multiple of 320 KiB.")
    }
    guard session.content.count == first else {
      throw GraphError(
        status: .rangeNotSatisfiable, code: "invalidRange",
        message: "The uploaded fragment overlaps with data that has already been received, or "
          + "leaves a gap.")
    }
    // Only one reference, so that what came before is not copied.
    graph.uploads[id] = nil
    session.content += request.body
    guard session.content.count < size else { return try finish(id, session) }
    session.expires = Date().addingTimeInterval(UploadSession.lifetime)
    graph.uploads[id] = session
    return .json(session.json, status: .accepted)
  }

  private func finish(_ id: String, _ session: UploadSession) throws(GraphError) -> Response {
    graph.uploads[id] = nil
    let content = GraphContent.bytes(session.content)
    let key = GraphKey.items(drive: session.drive)
    if let id = session.replaces, graphSet(key).bare(id) != nil {
      setContent(content, of: .file(id, in: session.drive))
      return Self.graphResponse(with: item(key, id) ?? [:], context: nil)
    }
    let (entity, status) = try writeFile(
      session.name, in: session.drive, parent: session.parent, content: content,
      session.behavior)
    return Self.graphResponse(with: item(key, entity.id) ?? [:], context: nil, status: status)
  }

  // MARK: Copies

  /// Copies a file: the answer is where the progress is told.
  func copyFile(
    _ entity: GraphEntity, _ request: Request, _ caller: GraphCaller
  ) throws(GraphError) -> Response {
    guard case .items(let drive) = entity.key, let item = graphSet(entity.key).bare(entity.id)
    else { throw missing(entity) }
    guard let content = graphSet(entity.key).content(entity.id) else {
      throw .notPlayed("a copy of a folder")
    }
    let body = try? JSONDecoder().decode(JSON.self, from: Data(request.body))
    let name = body?.parameter("name")?.string ?? item["name"]?.string ?? ""
    let place = try folder(body?.parameter("parentReference"), drive: drive, caller)
    let made = try writeFile(
      name, in: place?.drive ?? drive,
      parent: place?.id ?? item["parentReference"]?["id"]?.string ?? "", content: content,
      try ConflictBehavior(request, item: body) ?? .fail)
    let id = Random.token()
    graph.copies[id] = made.entity.id
    return Response(
      status: .accepted, headers: [.location: "\(transferOrigin)/drive/copy/\(id)"])
  }

  func copyProgress(_ id: String) throws(GraphError) -> Response {
    guard let item = graph.copies[id] else { throw .noItem }
    return .json([
      "status": "completed", "percentageComplete": 100, "resourceId": .string(item),
    ])
  }
}
