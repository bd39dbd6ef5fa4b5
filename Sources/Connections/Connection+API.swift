import AuthCore

/// Whether an app's tokens are for its API.
///
/// A token for a service of Microsoft's opens a person's mail and files to whoever gets it, so no
/// file can have it sent to another host.
extension Connection {
  /// The hosts of Microsoft Graph, in all clouds.
  package static let graphHosts: Set<String> = [
    "graph.microsoft.com", "graph.microsoft.us", "dod-graph.microsoft.us",
    "microsoftgraph.chinacloudapi.cn", "graph.microsoft.de", "graph.svc.sovcloud.fr",
    "graph.svc.sovcloud.de", "graph.svc.sovcloud.sg",
  ]

  /// What scopes call Microsoft's services that have the data of people and organizations: their
  /// hosts in all clouds and their IDs.
  ///
  /// With a dot at the beginning, it is every host of a domain.
  private static let services: Set<String> = graphHosts.union([
    "canary.graph.microsoft.com", "00000003-0000-0000-c000-000000000000",
    // Exchange.
    "outlook.office.com", "outlook.office365.com", "outlook.office365.us",
    "outlook-dod.office365.us", "partner.outlook.cn", "00000002-0000-0ff1-ce00-000000000000",
    // SharePoint, where each organization has hosts of its own.
    ".sharepoint.com", ".sharepoint.us", ".sharepoint-mil.us", ".sharepoint.cn",
    "00000003-0000-0ff1-ce00-000000000000",
    // What was before Microsoft Graph.
    "graph.windows.net", "graph.microsoftazure.us", "graph.chinacloudapi.cn", "graph.cloudapi.de",
    "00000002-0000-0000-c000-000000000000",
    // Azure Resource Manager.
    "management.azure.com", "management.core.windows.net", "management.usgovcloudapi.net",
    "management.core.usgovcloudapi.net", "management.chinacloudapi.cn",
    "management.core.chinacloudapi.cn", "management.microsoftazure.de",
    "management.core.cloudapi.de", "797f4846-ba00-4fd7-ba43-dac1f8f63013",
  ])

  /// Whether the API may get a token with `scopes`, which can be others than those of the app.
  package func apiMayGetToken(with scopes: [String]) -> Bool {
    Self.mayGetToken(api, with: scopes, of: application.authority)
  }

  /// Whether `api` may get a token of `authority` with these scopes.
  static func mayGetToken(
    _ api: String, with scopes: [String], of authority: Authority
  ) -> Bool {
    isOwnService(authority, of: api) || !givesTokensAway(scopes, of: authority.kind, to: api)
  }

  /// The API of an app of `authority` that names none: Microsoft Graph for Microsoft's services; none,
  /// which is empty, for somebody's own, whose tokens are not Microsoft's; nil where an app has to
  /// name it.
  static func defaultAPI(of authority: Authority) -> String? {
    guard let api = defaultAPI(of: authority.kind) else { return nil }
    return isOwnService(authority, of: api) ? "" : api
  }

  /// Whether the sign-in service is somebody's own, such as an emulator, which has its own
  /// addresses.
  private static func isOwnService(_ authority: Authority, of api: String) -> Bool {
    switch authority.kind.known {
    case .entra: !authority.isTrustedByItself
    // A tenant of Microsoft's can have any domain.
    case .externalID: isHere(authority.environment) || host(of: api) == authority.environment
    case .b2c, .adfs, .oidc: true
    }
  }

  /// Whether tokens of a kind of authority are for a service of Microsoft's with these scopes, and
  /// the API is neither one nor on this computer.
  static func givesTokensAway(
    _ scopes: [String], of kind: Authority.Kind, to api: String
  ) -> Bool {
    let host = Self.host(of: api)
    // Other kinds have no tokens for one.
    guard defaultAPI(of: kind) != nil, !isService(host), !isHere(host) else { return false }
    let others = Scopes.withoutOpenID(scopes)
    // With those of OpenID Connect alone, the token is for Graph.
    return others.isEmpty || others.contains(where: isOfService)
  }

  /// Whether a scope is one of Microsoft's services, as those without a resource are.
  private static func isOfService(_ scope: String) -> Bool {
    let scope = scope.lowercased()
    guard scope.contains("/") else { return !GUID.isValid(scope) || isService(scope) }
    let name = scope.firstRange(of: "://").map { scope[$0.upperBound...] } ?? scope[...]
    return isService(String(name.prefix { $0 != "/" }))
  }

  /// Whether this is a host or an ID, in lower case, of one of Microsoft's services.
  private static func isService(_ name: String) -> Bool {
    let name = name.hasSuffix(":443") ? String(name.dropLast(4)) : name
    return services.contains(name) || services.contains(String(name.drop { $0 != "." }))
  }

  /// Whether a host, in lower case, is this computer.
  private static func isHere(_ host: String) -> Bool {
    // The port may be any, but what is before an `@` is no host.
    ["localhost", "127.0.0.1", "[::1]"].contains { host == $0 || host.hasPrefix($0 + ":") }
      && !host.contains("@")
  }

  /// The host of an `https` URL, with its port if it has one; empty for another URL.
  static func host(of url: String) -> String {
    guard url.prefix(8).lowercased() == "https://" else { return "" }
    return url.dropFirst(8).prefix { !"/?#".contains($0) }.lowercased()
  }
}
