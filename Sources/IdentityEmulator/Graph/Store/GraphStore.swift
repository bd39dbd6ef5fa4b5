import FoundationEssentials

/// What Microsoft Graph has: sets of items, made when they are first asked for, and changed by
/// writes until the emulator stops.
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

  /// Forgets what was made of the users, because there are others now.
  mutating func userChanged(_ json: JSON?, id: String, in tenant: Tenant) {
    guard var set = sets[.users(tenant)] else { return }
    if let json { set.put(json) } else { _ = set.remove(id) }
    sets[.users(tenant)] = set
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
  mutating func change<Result>(
    _ key: GraphKey, users: [User], _ change: (inout GraphSet) -> Result
  ) -> Result {
    var set = self.set(key, users: users)
    // Only one reference, so that the change does not copy it.
    sets[key] = nil
    defer { sets[key] = set }
    return change(&set)
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

extension EmulatorState {
  func graphSet(_ key: GraphKey) -> GraphSet { graph.set(key, users: users) }

  func knownGraphSet(_ key: GraphKey) -> GraphSet? { graph.known(key) }

  @discardableResult
  func changeGraph<Result>(_ key: GraphKey, _ change: (inout GraphSet) -> Result) -> Result {
    graph.change(key, users: users, change)
  }

  /// Adds a user to the directory.
  func add(_ user: User) {
    users.append(user)
    for tenant in user.objectIDs.keys {
      graph.userChanged(
        GraphUser.json(user, in: tenant), id: user.graphID(in: tenant), in: tenant)
    }
  }

  func deleteUser(_ username: String) {
    guard let user = users.first(where: { $0.username == username }) else { return }
    users.removeAll { $0.username == username }
    for tenant in user.objectIDs.keys {
      graph.userChanged(nil, id: user.graphID(in: tenant), in: tenant)
    }
  }

  func forgetDeltaTokens() { graph.forgetDeltaTokens() }
}
