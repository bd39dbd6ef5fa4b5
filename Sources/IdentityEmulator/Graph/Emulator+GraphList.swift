import FoundationEssentials
import HTTPTypes

/// Pages of the collections of Microsoft Graph.
extension Emulator {
  /// The items of a collection that a query asks for, in its order.
  func items(_ collection: GraphCollection, _ query: ODataQuery) -> [JSON] {
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
    if let filter = query.filter { items = items.filter { ODataEvaluator($0).isTrue(filter) } }
    guard !query.orderBy.isEmpty else { return items }
    let keyed = items.enumerated().map { place, item in
      let evaluator = ODataEvaluator(item)
      return (
        keys: query.orderBy.map { evaluator.value(.path($0.path)) }, place: place, item: item
      )
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

  /// A page of a collection, or of the links to its items.
  func list(
    _ asked: GraphCollection, _ request: Request, _ caller: GraphCaller, isOfLinks: Bool = false
  ) throws(GraphError) -> Response {
    var collection = asked
    let form = request.queryForm
    let query = try ODataQuery(form, type: collection.type, parameters: collection.parameters)
    if case .sites = collection.key { try search(form, &collection) }
    if collection.parameters.contains("startDateTime") {
      collection.times = try Self.times(form)
    }
    if collection.type.isDirectory { try checkAdvanced(query, request) }
    let all = items(collection, query)
    let start: Int
    if let token = query.skipToken {
      guard token.hasPrefix("RFNwdA"), let place = Int(token.dropFirst(6), radix: 16), place >= 0
      else { throw .badRequest("Skip token is invalid.") }
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
      if isOfLinks {
        let id = item["id"]?.string ?? ""
        shown.append(["@odata.id": .string("\(caller.base)/directoryObjects/\(id)")])
      } else {
        shown.append(try show(item, of: collection, query, caller))
      }
    }
    let context = isOfLinks ? "Collection($ref)" : collection.context + query.selection
    var json: JSON = ["@odata.context": .string("\(caller.base)/$metadata#\(context)")]
    // The directory passes over $count of what is not an advanced query.
    if query.countsItems, start == 0, !collection.type.isDirectory || Self.isEventual(request) {
      json["@odata.count"] = .number(all.count)
    }
    if start + size < all.count, size > 0 {
      json["@odata.nextLink"] = .string(
        nextLink(query, start + size, collection, request, caller))
    }
    json["value"] = .array(shown)
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
        throw .unsupportedQuery(
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
