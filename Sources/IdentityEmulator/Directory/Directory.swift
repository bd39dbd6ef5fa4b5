/// What an emulator was configured with: applications, APIs, tenants and users.
struct Directory: Sendable {
  var clients: [ClientRegistration]
  /// The APIs other than Microsoft Graph.
  let resources: [ResourceRegistration]
  let tenants: [Tenant]
  /// The users at the start.
  let users: [User]
  /// The users whom the sign-in pages name.
  let shownUsers: [User]

  init(_ configuration: EmulatorConfiguration) {
    clients = configuration.clients
    resources = configuration.resources + ResourceRegistration.microsoft
    tenants = Tenant.all + configuration.tenants.map(Tenant.init)
    let tenants = tenants
    shownUsers = User.demo + configuration.users.compactMap { User($0, tenants: tenants) }
    users = shownUsers + User.colleagues(configuration.colleagueCount)
  }

  /// The app registration with an application ID.
  func client(_ clientID: String) -> ClientRegistration? {
    clients.first { $0.clientID.lowercased() == clientID.lowercased() }
  }

  /// The app registration with an application ID, which can be used at an authority.
  func client(
    _ clientID: String, at authority: Authority
  ) throws(EntraError) -> ClientRegistration {
    guard let client = client(clientID) else {
      throw .unknownClient(clientID, tenant: authority.name)
    }
    try client.checkAudience(at: authority)
    return client
  }

  /// The authority in a path; nil when there is none.
  func authority(path: String, query: Form = Form()) -> Authority? {
    Authority(path: path, query: query, tenants: tenants)
  }

  /// What the scopes of a request are read with.
  func scopeContext(
    _ client: ClientRegistration, _ kind: AuthorityKind, origin: String
  ) -> ScopeRequest.Context {
    ScopeRequest.Context(client: client, kind: kind, resources: resources, origin: origin)
  }
}
