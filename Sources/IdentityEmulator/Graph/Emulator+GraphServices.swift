/// Paths of To Do, OneNote and Teams, and of what else belongs to a user.
extension Emulator {
  /// What a name leads to from a user; nil for any other name.
  func service(
    _ name: String, of user: GraphEntity, _ caller: GraphCaller
  ) throws(GraphError) -> GraphTarget? {
    let owner = user.id
    let isMine = owner == caller.id
    let context = "users('\(owner)')/\(name)"
    switch name {
    case "licenseDetails":
      return .collection(
        .init(key: .licenses(owner), context: context, area: isMine ? .licenses : .users))
    case "ownedDevices":
      return .collection(
        .init(
          key: .devices(owner), context: "directoryObjects", area: isMine ? .relations : .users))
    case "people":
      guard isMine else { throw GraphPermissionArea.people.refusal }
      return .collection(.init(key: .people(owner), context: context, area: .people))
    case "joinedTeams":
      // A delegated permission is for the user's own teams.
      guard isMine else { throw GraphPermissionArea.teams.refusal }
      let ids = graphSet(.teams(caller.tenant)).ids.filter {
        graph.members(of: $0, in: caller.tenant, users: users).contains(owner)
      }
      return .collection(
        .init(key: .teams(caller.tenant), ids: ids, context: "teams", area: .teams))
    case "todo", "onenote":
      guard isMine else { throw .accessDenied }
      return .service(name, owner: owner)
    default: return nil
    }
  }

  /// A collection of To Do or OneNote.
  func step(
    service: String, owner: String, _ name: String
  ) throws(GraphError) -> GraphTarget {
    let context = "users('\(owner)')/\(service)/\(name)"
    switch (service, name) {
    case ("todo", "lists"):
      return .collection(.init(key: .taskLists(owner), context: context, area: .tasks))
    case ("onenote", "notebooks"):
      return .collection(.init(key: .notebooks(owner), context: context, area: .notes))
    default: throw .notPlayed("'\(name)'")
    }
  }
}
