import FoundationEssentials
import HTTPTypes

/// Answers of Microsoft Graph to `GET`.
extension Emulator {
  func read(
    _ target: GraphTarget, _ request: Request, _ caller: GraphCaller
  ) throws(GraphError) -> Response {
    switch target {
    case .collection(let collection): return try list(collection, request, caller)
    case .entity(let entity): return try one(entity, request, caller)
    case .drive(let id):
      let query = try queryOfOne(request, .drive)
      let one = try drive(id, query, caller)
      return Self.graphResponse(
        with: one, context: "\(caller.base)/$metadata#drives\(query.selection)/$entity")
    case .drives(let owner):
      let query = try ODataQuery(request.queryForm, type: .drive)
      guard query.filter == nil else { throw .notPlayed("$filter of drives") }
      let one = try drive(GraphDrive.id(ofOwner: owner), query, caller)
      return Self.graphResponse(
        list: [one], context: "\(caller.base)/$metadata#drives\(query.selection)")
    case .count(let collection):
      let query = try ODataQuery(request.queryForm, type: collection.type)
      if collection.type.isDirectory, !Self.isEventual(request) {
        throw .requestBadRequest("$count is not currently supported.")
      }
      let count = items(collection, query).count
      return .text(String(count), type: "text/plain")
    case .delta(let collection, let token):
      return try delta(collection, token, request, caller)
    case .property(let entity, let name, let isRaw):
      return try property(entity, name, isRaw: isRaw, caller)
    case .content(let entity): return try content(entity, request, caller)
    case .newFile(_, _, _, let action):
      if let action, action != "content", action != "children" { throw .notPlayed(":/\(action)") }
      throw .noItem
    case .photo(let id, let isValue): return try photo(id, isValue: isValue, caller)
    case .photos:
      return Self.graphResponse(
        list: ["48x48", "96x96", "240x240"].map {
          ["id": .string($0), "@odata.mediaContentType": "image/png"]
        }, context: "\(caller.base)/$metadata#photos")
    case .nothing(let name):
      return Self.graphResponse(list: [], context: "\(caller.base)/$metadata#\(name)")
    case .service(let name, _): throw .notPlayed("'\(name)' itself")
    case .reference(let collection, nil):
      return try list(collection, request, caller, isOfLinks: true)
    case .reference, .action: throw .methodNotAllowed
    }
  }

  static func isEventual(_ request: Request) -> Bool {
    request.headers[named: "ConsistencyLevel"]?.lowercased() == "eventual"
  }

  // MARK: Responses

  static func graphResponse(
    with item: JSON, context: String?, status: HTTPResponse.Status = .ok
  ) -> Response {
    let fields = (context.map { [("@odata.context", JSON.string($0))] } ?? []) + (item.fields ?? [])
    var response = Response.json(.object(fields), status: status)
    response.headers[.contentType] = graphContentType
    response.headers[named: "odata-version"] = "4.0"
    if let eTag = item["@odata.etag"]?.string ?? item["eTag"]?.string {
      response.headers[.eTag] = eTag
    }
    return response
  }

  private static func graphResponse(list: [JSON], context: String) -> Response {
    graphResponse(with: .object([("value", .array(list))]), context: context)
  }

  private static let graphContentType =
    "application/json;odata.metadata=minimal;odata.streaming=true;IEEE754Compatible=false;"
    + "charset=utf-8"

  // MARK: Items

  /// The options of a request to one item.
  private func queryOfOne(
    _ request: Request, _ type: GraphType
  ) throws(GraphError) -> ODataQuery {
    let query = try ODataQuery(request.queryForm, type: type)
    guard query.filter == nil, query.orderBy.isEmpty, query.top == nil, query.search == nil else {
      throw .badRequest("This query option can only be applied to collections.")
    }
    return query
  }

  private func one(
    _ entity: GraphEntity, _ request: Request, _ caller: GraphCaller
  ) throws(GraphError) -> Response {
    let query = try queryOfOne(request, entity.type)
    guard let item = item(entity.key, entity.id) else { throw missing(entity) }
    if let eTag = item[entity.type.eTagProperty ?? ""]?.string,
      request.headers[.ifNoneMatch] == eTag
    {
      return Response(status: .notModified, headers: [.eTag: eTag])
    }
    var shown = try show(item, entity, query, caller)
    if entity.area == .me, entity.key == .users(caller.tenant) { faults.edit(\.me, &shown) }
    let context = "\(caller.base)/$metadata#\(entity.context)\(query.selection)/$entity"
    return Self.graphResponse(with: shown, context: context)
  }

  /// An item with what is counted.
  func item(_ key: GraphKey, _ id: String) -> JSON? {
    guard var item = graphSet(key)[id] else { return nil }
    switch key {
    case .mailFolders(let owner):
      let set = graphSet(.messages(owner))
      let messages = set.ids.compactMap { set.bare($0) }
        .filter { $0["parentFolderId"]?.string == id }
      item["totalItemCount"] = .number(messages.count)
      item["unreadItemCount"] = .number(
        messages.count { if case .bool(false)? = $0["isRead"] { true } else { false } })
    case .items(let drive) where item["folder"] != nil:
      item["folder"] = ["childCount": .number(children(of: .file(id, in: drive)).count)]
    default: break
    }
    return item
  }

  /// An item as a response has it: the selected properties, and those that are expanded.
  private func show(
    _ item: JSON, _ entity: GraphEntity, _ query: ODataQuery, _ caller: GraphCaller
  ) throws(GraphError) -> JSON {
    var names = query.select.map { Set($0) } ?? entity.type.defaults
    // Of mail and files, the ID always comes.
    if query.select != nil, !entity.type.isDirectory { names?.insert("id") }
    var fields = (item.fields ?? []).filter { name, _ in
      name != "calendarId" && (name.hasPrefix("@odata.") || names?.contains(name) ?? true)
    }
    for (name, nested) in query.expand {
      fields.append((name, try expand(name, nested, entity, caller)))
    }
    if case .items(let drive) = entity.key, item["file"] != nil,
      names?.contains("@microsoft.graph.downloadUrl") ?? true
    {
      fields.append(
        (
          "@microsoft.graph.downloadUrl",
          .string("\(transferOrigin)/drive/download/\(drive)/\(entity.id)")
        ))
    }
    if case .attachments = entity.key, names?.contains("contentBytes") ?? true,
      let content = graphSet(entity.key).content(entity.id)
    {
      fields.append(("contentBytes", .string(Data(content.bytes).base64EncodedString())))
    }
    return .object(fields)
  }

  private func expand(
    _ name: String, _ query: ODataQuery, _ entity: GraphEntity, _ caller: GraphCaller
  ) throws(GraphError) -> JSON {
    let target: GraphTarget
    do {
      target = try step(.entity(entity), .name(name), caller)
    } catch  where error.code == "Request_ResourceNotFound" {
      return .null
    }
    return try expanded(target, name, query, caller)
  }

  /// What a navigation property leads to, as the item has it that it is expanded in.
  private func expanded(
    _ target: GraphTarget, _ name: String, _ query: ODataQuery, _ caller: GraphCaller
  ) throws(GraphError) -> JSON {
    try authorize(target, writes: false, caller)
    switch target {
    case .collection(let collection):
      // The directory gives at most twenty of what is expanded.
      let limit = collection.type.isDirectory ? 20 : collection.type.pageSize.maximum
      var shown: [JSON] = []
      for item in items(collection, query).dropFirst(query.skip)
        .prefix(min(query.top ?? limit, limit))
      {
        shown.append(try show(item, of: collection, query, caller))
      }
      return .array(shown)
    case .entity(let other):
      guard let item = item(other.key, other.id) else { return .null }
      return try show(item, other, query, caller)
    case .drive(let id): return try drive(id, query, caller)
    case .drives(let owner):
      let one = try drive(GraphDrive.id(ofOwner: owner), query, caller)
      return .array([one])
    case .nothing: return .array([])
    default: throw .notPlayed("$expand=\(name)")
    }
  }

  /// A drive as a response has it.
  private func drive(
    _ id: String, _ query: ODataQuery, _ caller: GraphCaller
  ) throws(GraphError) -> JSON {
    let all = try drive(id, caller).fields ?? []
    var fields = all.filter { name, _ in query.select?.contains(name) ?? true || name == "id" }
    for (name, nested) in query.expand {
      let target = try step(drive: id, .name(name), caller)
      fields.append((name, try expanded(target, name, nested, caller)))
    }
    return .object(fields)
  }

  func show(
    _ item: JSON, of collection: GraphCollection, _ query: ODataQuery, _ caller: GraphCaller
  ) throws(GraphError) -> JSON {
    let entity = collection.item(item["id"]?.string ?? "")
    var shown = try show(item, entity, query, caller)
    // What is in a list of several types says which it has.
    if collection.context == "directoryObjects", case .object(let fields) = shown {
      shown = .object([("@odata.type", .string("#microsoft.graph.\(entity.type.name)"))] + fields)
    }
    return shown
  }

  private func property(
    _ entity: GraphEntity, _ name: String, isRaw: Bool, _ caller: GraphCaller
  ) throws(GraphError) -> Response {
    guard let value = item(entity.key, entity.id)?[name] else {
      throw GraphError(
        status: .notFound, code: "ResourceNotFound", message: "The property has no value.")
    }
    guard isRaw else {
      return Self.graphResponse(
        with: ["value": value],
        context: "\(caller.base)/$metadata#\(entity.context)('\(entity.id)')/\(name)")
    }
    if case .null = value { return Response(status: .noContent) }
    return .text(value.string ?? value.text, type: "text/plain")
  }
}
