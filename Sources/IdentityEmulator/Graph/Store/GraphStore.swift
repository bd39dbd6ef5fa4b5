import FoundationEssentials

/// What Microsoft Graph has: sets of items, made when they are first asked for, and changed by
/// writes.
struct GraphStore: Sendable {
  private var sets: [GraphKey: GraphSet] = [:]
  /// The IDs of the members of groups that differ from the initial ones.
  private var members: [String: [String]] = [:]
  /// Delta tokens of another generation are forgotten.
  private(set) var deltaGeneration = 0
  var uploads: [String: UploadSession] = [:]
  /// Copies in progress, and the ID of the item that each made.
  var copies: [String: String] = [:]

  mutating func forgetDeltaTokens() { deltaGeneration += 1 }

  /// Changes the users of each organization that a request has asked for.
  ///
  /// Those of the others are made of all users when they are asked for.
  mutating func changeUsers(_ change: (inout GraphSet, Tenant) -> Void) {
    for key in sets.keys {
      guard case .users(let tenant) = key, var set = sets[key] else { continue }
      change(&set, tenant)
      sets[key] = set
    }
  }

  /// A set that a request has asked for; nil for any other.
  func known(_ key: GraphKey) -> GraphSet? { sets[key] }

  /// A set.
  ///
  /// - Parameter users: all users, for a set that is not there yet.
  mutating func set(_ key: GraphKey, users: [User]) -> GraphSet {
    if let set = sets[key] { return set }
    let set = GraphSet(key.type, GraphSeeds(users: users).items(key))
    sets[key] = set
    return set
  }

  /// Changes a set.
  mutating func change(_ key: GraphKey, users: [User], _ change: (inout GraphSet) -> Void) {
    var set = self.set(key, users: users)
    // Only one reference, so that the change does not copy it.
    sets[key] = nil
    change(&set)
    sets[key] = set
  }

  /// The IDs of the members of a group.
  mutating func members(of group: String, in tenant: Tenant, users: [User]) -> [String] {
    let known = set(.users(tenant), users: users)
    if let members = members[group] { return members.filter { known.bare($0) != nil } }
    let groups = set(.groups(tenant), users: users)
    guard let index = groups.ids.firstIndex(of: group) else { return [] }
    return GraphGroup.members(index, of: known.ids)
  }

  mutating func setMembers(_ ids: [String], of group: String) { members[group] = ids }
}

extension Emulator {
  func graphSet(_ key: GraphKey) -> GraphSet { graph.set(key, users: users) }

  func knownGraphSet(_ key: GraphKey) -> GraphSet? { graph.known(key) }

  func changeGraph(_ key: GraphKey, _ change: (inout GraphSet) -> Void) {
    graph.change(key, users: users, change)
  }

  /// Adds a user to the directory.
  ///
  /// - Parameter properties: what Graph has about the user besides.
  func add(_ user: User, properties: [(String, JSON)] = []) {
    users.append(user)
    graph.changeUsers { set, tenant in
      guard user.objectID(in: tenant) != nil else { return }
      var json = GraphUser.json(user, in: tenant)
      for (name, value) in properties { json[name] = value }
      set.put(json)
    }
  }

  /// Deletes a user from the directory, of each organization.
  func delete(_ user: User) {
    users.removeAll { $0.username == user.username }
    graph.changeUsers { set, tenant in set.remove(user.graphID(in: tenant)) }
  }
}
