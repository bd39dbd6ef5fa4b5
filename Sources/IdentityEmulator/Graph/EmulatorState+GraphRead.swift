import FoundationEssentials
import HTTPTypes

/// Answers of Microsoft Graph to `GET`.
extension EmulatorState {
  func read(
    _ target: GraphTarget, _ request: Request, _ caller: GraphCaller
  ) throws(GraphError) -> Response {
    switch target {
    case .collection(let collection): return try list(collection, request, caller)
    case .entity(let entity): return try one(entity, request, caller)
    case .drive(let id):
      _ = try ODataQuery(request.queryForm, type: .drive)
      return Self.graphResponse(
        with: drive(id, caller), context: "\(caller.base)/$metadata#drives/$entity")
    case .count(let collection):
      let query = try ODataQuery(request.queryForm, type: collection.type)
      if collection.type.isDirectory, !Self.isEventual(request) {
        throw .requestBadRequest("$count is not currently supported.")
      }
      let count = try items(collection, query).count
      return .text(String(count), type: "text/plain")
    case .delta(let collection): return try delta(collection, request, caller)
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
    case .nothing("drives"):
      let mine = drive(GraphDrive.id(ofOwner: caller.id), caller)
      return Self.graphResponse(list: [mine], context: "\(caller.base)/$metadata#drives")
    case .nothing(let name):
      return Self.graphResponse(list: [], context: "\(caller.base)/$metadata#\(name)")
    case .reference(let collection, nil):
      let ids = collection.ids ?? graphSet(collection.key).ids
      return Self.graphResponse(
        list: ids.prefix(100).map {
          ["@odata.id": .string("\(caller.base)/directoryObjects/\($0)")]
        },
        context: "\(caller.base)/$metadata#Collection($ref)")
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

  private func one(
    _ entity: GraphEntity, _ request: Request, _ caller: GraphCaller
  ) throws(GraphError) -> Response {
    let query = try ODataQuery(request.queryForm, type: entity.type)
    guard query.filter == nil, query.orderBy.isEmpty, query.top == nil, query.search == nil else {
      throw .badRequest("This query option can only be applied to collections.")
    }
    guard let item = item(entity.key, entity.id) else { throw missing(entity) }
    if let eTag = item[entity.type.eTagProperty ?? ""]?.string,
      request.headers[.ifNoneMatch] == eTag
    {
      return Response(status: .notModified, headers: [.eTag: eTag])
    }
    var shown = try show(item, entity, query, caller)
    if entity.area == .me, entity.key == .users(caller.tenant) { faults.edit(\.me, &shown) }
    let selected = query.select.map { "(\($0.joined(separator: ",")))" } ?? ""
    return Self.graphResponse(
      with: shown, context: "\(caller.base)/$metadata#\(entity.context)\(selected)/$entity")
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
    case .items where item["folder"] != nil:
      let entity = GraphEntity(key: key, id: id, context: "", area: .files)
      item["folder"] = ["childCount": .number(children(of: entity).count)]
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
      target = try resolve(below: entity, name, caller)
    } catch  where error.code == "Request_ResourceNotFound" {
      return .null
    }
    try authorize(target, writes: false, caller)
    switch target {
    case .collection(let collection):
      // The directory gives at most twenty of what is expanded.
      let limit = collection.type.isDirectory ? 20 : collection.type.pageSize.maximum
      var shown: [JSON] = []
      for item in try items(collection, query).dropFirst(query.skip)
        .prefix(min(query.top ?? limit, limit))
      {
        shown.append(try show(item, of: collection, query, caller))
      }
      return .array(shown)
    case .entity(let other):
      guard let item = item(other.key, other.id) else { return .null }
      return try show(item, other, query, caller)
    case .drive(let id): return drive(id, caller)
    case .nothing: return .array([])
    default: throw .notPlayed("$expand=\(name)")
    }
  }

  private func show(
    _ item: JSON, of collection: GraphCollection, _ query: ODataQuery, _ caller: GraphCaller
  ) throws(GraphError) -> JSON {
    let entity = GraphEntity(
      key: collection.key, id: item["id"]?.string ?? "", context: collection.context,
      area: collection.area)
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

  // MARK: Collections

  /// The items of a collection that a query asks for, in its order.
  func items(_ collection: GraphCollection, _ query: ODataQuery) throws(GraphError) -> [JSON] {
    let ids = collection.ids ?? graphSet(collection.key).ids
    let isCounted =
      if case .mailFolders = collection.key { true } else { collection.type.name == "driveItem" }
    let set = graphSet(collection.key)
    var items = ids.compactMap { isCounted ? self.item(collection.key, $0) : set[$0] }
    if let times = collection.times {
      items = items.filter { item in
        let (start, end) = (Self.time(item["start"]), Self.time(item["end"]))
        return start < times.end && end > times.start
      }
    }
    if let search = query.search { items = items.filter { search.finds($0) } }
    if let filter = query.filter {
      var found: [JSON] = []
      for item in items where try ODataEvaluator(item).isTrue(filter) { found.append(item) }
      items = found
    }
    guard !query.orderBy.isEmpty else { return items }
    var keyed: [(keys: [ODataValue], place: Int, item: JSON)] = []
    for (place, item) in items.enumerated() {
      let evaluator = ODataEvaluator(item)
      var keys: [ODataValue] = []
      for order in query.orderBy { keys.append(try evaluator.value(.path(order.path))) }
      keyed.append((keys, place, item))
    }
    let descending = query.orderBy.map(\.isDescending)
    return keyed.sorted { one, other in
      for (index, isDescending) in descending.enumerated() {
        let (a, b) = (one.keys[index], other.keys[index])
        // Nothing comes before anything.
        let order = ODataEvaluator.order(a, b) ?? (a == .null ? -1 : b == .null ? 1 : 0)
        if order != 0 { return isDescending ? order > 0 : order < 0 }
      }
      return one.place < other.place
    }.map(\.item)
  }

  private static func time(_ value: JSON?) -> Double {
    value?["dateTime"]?.string.flatMap { ODataDate.seconds($0) } ?? 0
  }

  private func list(
    _ asked: GraphCollection, _ request: Request, _ caller: GraphCaller
  ) throws(GraphError) -> Response {
    var collection = asked
    let form = request.queryForm
    let query = try ODataQuery(form, type: collection.type, parameters: collection.parameters)
    if case .sites = collection.key { try search(form, &collection) }
    if collection.parameters.contains("startDateTime") {
      collection.times = try Self.times(form)
    }
    if collection.type.isDirectory { try checkAdvanced(query, request) }
    let all = try items(collection, query)
    let start: Int
    if let token = query.skipToken {
      guard token.hasPrefix("RFNwdA"), let place = Int(token.dropFirst(6), radix: 16) else {
        throw .badRequest("Skip token is invalid.")
      }
      start = min(place, all.count)
    } else {
      guard query.skip == 0 || !collection.type.isDirectory else {
        throw .badRequest("'$skip' is not supported by the service.")
      }
      start = min(query.skip, all.count)
    }
    let size = try pageSize(query, request, collection.type)
    var shown: [JSON] = []
    for item in all[start...].prefix(size) {
      shown.append(try show(item, of: collection, query, caller))
    }
    let selected = query.select.map { "(\($0.joined(separator: ",")))" } ?? ""
    var json: JSON = [
      "@odata.context": .string("\(caller.base)/$metadata#\(collection.context)\(selected)")
    ]
    // The directory passes over $count of what is not an advanced query.
    if query.countsItems, start == 0, !collection.type.isDirectory || Self.isEventual(request) {
      json.append("@odata.count", .number(all.count))
    }
    if start + size < all.count, size > 0 {
      json.append(
        "@odata.nextLink", .string(nextLink(query, start + size, collection, request, caller)))
    }
    json.append("value", .array(shown))
    return Self.graphResponse(with: json, context: nil)
  }

  private func nextLink(
    _ query: ODataQuery, _ place: Int, _ collection: GraphCollection, _ request: Request,
    _ caller: GraphCaller
  ) -> String {
    let skip =
      collection.type.isDirectory || collection.type.name == "driveItem"
      ? ("$skiptoken", "RFNwdA" + String(place, radix: 16)) : ("$skip", String(place))
    let options = (query.repeated + [skip])
      .map { "\($0.0.hasPrefix("$") ? $0.0 : Form.encode($0.0))=\(Form.encode($0.1))" }
    return "\(caller.origin)\(request.path)?\(options.joined(separator: "&"))"
  }

  private func pageSize(
    _ query: ODataQuery, _ request: Request, _ type: GraphType
  ) throws(GraphError) -> Int {
    if let top = query.top {
      guard top > 0 || !type.isDirectory, top <= type.pageSize.maximum else {
        guard type.isDirectory else { return type.pageSize.maximum }
        throw .requestBadRequest(
          "Invalid page size specified: '\(top)'. Must be between 1 and 999 "
            + "inclusive.")
      }
      return top
    }
    let preferred = preferredPageSize(request)
    guard let preferred, preferred > 0 else { return type.pageSize.standard }
    return min(preferred, type.pageSize.maximum)
  }

  /// Refuses what a directory answers only with `ConsistencyLevel: eventual`.
  private func checkAdvanced(_ query: ODataQuery, _ request: Request) throws(GraphError) {
    let isEventual = Self.isEventual(request)
    if query.search != nil {
      guard isEventual else {
        throw .requestBadRequest(
          "Request with $search query parameter only works through MSGraph with a special request "
            + "header: 'ConsistencyLevel: eventual'")
      }
    }
    let isAdvanced =
      query.filter?.isAdvanced == true || query.filter != nil && !query.orderBy.isEmpty
    guard !isAdvanced || isEventual && (query.countsItems || query.skipToken != nil) else {
      throw .unsupportedQuery(
        "Unsupported or invalid query filter clause specified. This query needs the header "
          + "'ConsistencyLevel: eventual' and $count=true.")
    }
  }

  private func search(
    _ form: Form, _ collection: inout GraphCollection
  ) throws(GraphError) {
    guard let text = form["search"], text != "*" else { return }
    let set = graphSet(collection.key)
    collection.ids = set.ids.filter {
      set.bare($0)?["displayName"]?.string?.lowercased().contains(text.lowercased()) == true
    }
  }

  private static func times(_ form: Form) throws(GraphError) -> (start: Double, end: Double) {
    guard let start = form["startDateTime"].flatMap({ ODataDate.seconds($0) }),
      let end = form["endDateTime"].flatMap({ ODataDate.seconds($0) })
    else {
      throw GraphError(
        status: .badRequest, code: "ErrorInvalidParameter",
        message: "This request requires a time window specified by the query string parameters "
          + "StartDateTime and EndDateTime.")
    }
    return (start, end)
  }
}
