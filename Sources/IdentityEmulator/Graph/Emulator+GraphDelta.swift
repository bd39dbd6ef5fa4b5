/// Delta queries: the changes of a collection.
extension Emulator {
  /// Everything, or what was changed since a delta token.
  ///
  /// - Parameter given: the token that the path has.
  func delta(
    _ collection: GraphCollection, _ given: String?, _ request: Request, _ caller: GraphCaller
  ) throws(GraphError) -> Response {
    switch collection.key {
    case .users, .groups, .messages, .mailFolders, .events, .items, .contacts: break
    default: throw .notPlayed("delta of \(collection.context)")
    }
    // A drive has another name for the option.
    let isDrive = if case .items = collection.key { true } else { false }
    let name = isDrive ? "token" : "$deltatoken"
    var form = request.queryForm
    let token = isDrive ? form["token"] ?? given : nil
    if isDrive { form["token"] = nil }
    let query = try ODataQuery(form, type: collection.type)
    guard query.filter == nil, query.search == nil, query.orderBy.isEmpty, query.expand.isEmpty
    else { throw .notPlayed("$filter, $search, $orderby and $expand of a delta query") }
    let set = graphSet(collection.key)
    let since = try changeCount(query.deltaToken ?? token, set)
    let (place, until) = try skipped(query.skipToken, since: since ?? 0, set)
    var ids = collection.ids ?? set.ids
    // What has left since the first page does not move the pages that follow.
    var left = 0
    if let since {
      var seen: Set<String> = []
      ids = set.changes[since..<until].filter { seen.insert($0).inserted }
    } else {
      left = Set(set.changes[until...]).subtracting(ids).count
    }
    let size = query.top ?? preferredPageSize(request) ?? 200
    let start = min(max(place - left, 0), ids.count)
    let end = start + min(max(size, 1), ids.count - start)
    var json: JSON = ["@odata.context": .string("\(caller.base)/$metadata#\(collection.context)")]
    let path = "\(caller.origin)\(request.path)?"
    let options = query.repeated.map { "\($0.0)=\(Form.encode($0.1))&" }.joined()
    let generation = graph.deltaGeneration
    if end < ids.count {
      let known = since.map { "\(name)=\(generation)-\($0)&" } ?? ""
      json["@odata.nextLink"] = .string(
        "\(path)\(options)\(known)$skiptoken=\(end + left)-\(until)")
    } else {
      json["@odata.deltaLink"] = .string("\(path)\(options)\(name)=\(generation)-\(until)")
    }
    var changes: [JSON] = []
    for id in ids[start..<end] { changes.append(change(id, collection, query)) }
    json["value"] = .array(changes)
    return Self.graphResponse(with: json, context: nil)
  }

  /// How many changes the client knows, by its delta token; nil when it is to get everything.
  private func changeCount(_ token: String?, _ set: GraphSet) throws(GraphError) -> Int? {
    guard let token else { return nil }
    if token == "latest" { return set.changes.count }
    let parts = token.split(separator: "-").compactMap { Int($0) }
    guard parts.count == 2, parts[0] == graph.deltaGeneration,
      (0...set.changes.count).contains(parts[1])
    else { throw .resyncRequired }
    return parts[1]
  }

  /// The place at which a page begins, and how many changes there were at the first page.
  private func skipped(
    _ token: String?, since: Int, _ set: GraphSet
  ) throws(GraphError) -> (place: Int, until: Int) {
    guard let token else { return (0, set.changes.count) }
    let parts = token.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    let until = parts.count == 1 ? set.changes.count : parts[1]
    guard parts.count <= 2, let place = parts[0], place >= 0, let until,
      (since...set.changes.count).contains(until)
    else { throw .badRequest("Skip token is invalid.") }
    return (place, until)
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
