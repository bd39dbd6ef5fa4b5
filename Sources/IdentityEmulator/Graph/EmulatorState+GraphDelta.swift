/// Delta queries: the changes of a collection.
extension EmulatorState {
  /// Everything, or what was changed since a delta token.
  func delta(
    _ collection: GraphCollection, _ request: Request, _ caller: GraphCaller
  ) throws(GraphError) -> Response {
    switch collection.key {
    case .users, .groups, .messages, .mailFolders, .events, .items, .contacts: break
    default: throw .notPlayed("delta of \(collection.context)")
    }
    var form = request.queryForm
    form["token"] = nil
    let query = try ODataQuery(form, type: collection.type)
    guard query.filter == nil, query.search == nil, query.orderBy.isEmpty, query.expand.isEmpty
    else { throw .notPlayed("$filter, $search, $orderby and $expand of a delta query") }
    let set = graphSet(collection.key)
    let generation = graph.deltaGeneration
    var ids = collection.ids ?? set.ids
    if let token = query.deltaToken {
      let parts = token.split(separator: "-").compactMap { Int($0) }
      guard parts.count == 2, parts[0] == generation, (0...set.changes.count).contains(parts[1])
      else { throw .resyncRequired }
      var seen: Set<String> = []
      ids = set.changes[parts[1]...].filter { seen.insert($0).inserted }
    } else if request.queryForm["token"] == "latest" {
      ids = []
    }
    let size = query.top ?? preferredPageSize(request) ?? 200
    let start: Int
    if let token = query.skipToken {
      guard let place = Int(token), place >= 0 else { throw .badRequest("Skip token is invalid.") }
      start = min(place, ids.count)
    } else {
      start = 0
    }
    let end = min(start + max(size, 1), ids.count)
    var json: JSON = ["@odata.context": .string("\(caller.base)/$metadata#\(collection.context)")]
    let path = "\(caller.origin)\(request.path)?"
    let options = query.repeated.map { "\($0.0)=\(Form.encode($0.1))&" }.joined()
    if end < ids.count {
      let token = query.deltaToken.map { "$deltatoken=\($0)&" } ?? ""
      json.append("@odata.nextLink", .string("\(path)\(options)\(token)$skiptoken=\(end)"))
    } else {
      json.append(
        "@odata.deltaLink",
        .string("\(path)\(options)$deltatoken=\(generation)-\(set.changes.count)"))
    }
    var changes: [JSON] = []
    for id in ids[start..<end] { changes.append(change(id, collection, query)) }
    json.append("value", .array(changes))
    return Self.graphResponse(with: json, context: nil)
  }

  private func change(_ id: String, _ collection: GraphCollection, _ query: ODataQuery) -> JSON {
    guard collection.ids?.contains(id) != false, let item = item(collection.key, id) else {
      if case .items = collection.key {
        return ["id": .string(id), "deleted": ["state": "deleted"]]
      }
      return ["id": .string(id), "@removed": ["reason": "deleted"]]
    }
    let names = query.select.map { Set($0).union(["id"]) } ?? collection.type.defaults
    return .object(
      (item.fields ?? []).filter { name, _ in
        name.hasPrefix("@odata.") || names?.contains(name) ?? true
      })
  }

  /// The number of items on a page that a request prefers.
  func preferredPageSize(_ request: Request) -> Int? {
    let name = "odata.maxpagesize="
    return request.headers[named: "Prefer"]?.split(separator: ",").compactMap { part -> Int? in
      let part = part.trimmingSpaces
      return part.lowercased().hasPrefix(name) ? Int(part.dropFirst(name.count)) : nil
    }.first
  }
}
