/// Delta queries: the changes of a collection.
extension GraphRoutes {
  /// The number of users on a page.
  private static let pageSize = 2

  /// The members and guests of the token's tenant, or what was changed since a delta token.
  func usersDelta(_ call: Call) async throws -> Response {
    let (query, tenant) = (call.request.queryForm, call.token.tenant)
    let generation = await state.deltaGeneration
    let all = await state.directoryChanges
    var changes = call.users.map { DirectoryChange(user: $0) }[...]
    if let token = query["$deltatoken"] {
      let parts = token.split(separator: "-").compactMap { Int($0) }
      guard parts.count == 2, parts[0] == generation, (0...all.count).contains(parts[1]) else {
        throw GraphError.resyncRequired
      }
      changes = all[parts[1]...]
    }
    let visible = changes.filter { $0.user.objectID(in: tenant) != nil }
    let skip = min(try option("skiptoken", query) ?? 0, visible.count)
    let end = min(skip + Self.pageSize, visible.count)
    var json: JSON = ["@odata.context": .string("\(call.base)/$metadata#users")]
    let path = "\(call.origin)\(call.request.path)"
    if end < visible.count {
      let token = query["$deltatoken"].map { "$deltatoken=\($0)&" } ?? ""
      json.append("@odata.nextLink", .string("\(path)?\(token)$skiptoken=\(end)"))
    } else {
      json.append("@odata.deltaLink", .string("\(path)?$deltatoken=\(generation)-\(all.count)"))
    }
    let items = visible[skip..<end].map { change -> JSON in
      guard change.isRemoval else { return .object(GraphUser.fields(change.user, in: tenant)) }
      return [
        "id": .string(change.user.graphID(in: tenant)), "@removed": ["reason": "deleted"],
      ]
    }
    json.append("value", .array(items))
    return graph(json)
  }
}

/// A change of the directory.
struct DirectoryChange: Sendable {
  let user: User
  var isRemoval = false
}

extension EmulatorState {
  /// Adds what was changed to the list of changes.
  func noteDirectoryChanges(since before: [User]) {
    let names = Set(users.map(\.username))
    directoryChanges += before.filter { !names.contains($0.username) }
      .map { DirectoryChange(user: $0, isRemoval: true) }
    let known = Set(before.map(\.username))
    directoryChanges += users.filter { !known.contains($0.username) }
      .map { DirectoryChange(user: $0) }
  }

  func deleteUser(_ username: String) { users.removeAll { $0.username == username } }

  func forgetDeltaTokens() { deltaGeneration += 1 }
}
