import AuthCore
import Connections
import FoundationEssentials
import Sentences

/// The app whose tokens a host takes, for programs that name nothing but the host.
struct AppForHost {
  let connection: Connection
  /// The permissions of the tokens.
  let scopes: [String]
  /// The host, when it is that of the app's API; nil for one of Azure's.
  private let api: String?

  /// Finds the app whose API is at `host`.
  ///
  /// - Parameters:
  ///   - host: the host, and its port if that is not 443.
  ///   - app: the name of the app that was asked for; nil to find one.
  /// - Returns: nil for a host that must not get a token.
  init?(_ host: String, app: String?) throws(CommandError) {
    let candidates = app == nil ? try CommandContext.all() : [try CommandContext.find(app)]
    guard let named = candidates.first(where: { Self.host(of: $0.api) == host.lowercased() })
    else { return nil }
    (connection, scopes, api) = (named, named.scopes, host)
  }

  /// Finds the app for a service of Azure's.
  ///
  /// - Parameters:
  ///   - name: what the program calls the service.
  ///   - app: the name of the app that was asked for; nil to find one.
  /// - Throws: when no app gets tokens for the service, or not the one that was asked for.
  init(_ service: AzureService, named name: String, app: String?) throws(CommandError) {
    api = nil
    // There may be none at all.
    let first = try CommandContext.find(app)
    if app != nil {
      guard service.takes(first) else {
        throw CommandError(
          option: "--app",
          Sentence(
            "The app “{app}” does not sign in with Microsoft Entra ID, which has the tokens for"
              + " {service}.", ["app": first.name, "service": name]),
          nextStep: Self.advice(for: service))
      }
      connection = first
    } else {
      guard let found = service.app(among: try CommandContext.all()) else {
        throw CommandError(
          "noApp",
          Sentence(
            "No app signs in with Microsoft Entra ID in the cloud of {service}.",
            ["service": name]),
          nextStep: Self.advice(for: service))
      }
      connection = found
    }
    scopes = service.scopes(for: connection)
  }

  /// The first app with an API of its own, whose host gets its tokens, too; nil when there is none.
  static func withOwnAPI(of connections: [Connection]) -> Connection? {
    connections.first { connection in
      host(of: connection.api).map { !Connection.graphHosts.contains($0) } ?? false
    }
  }

  /// Sees whether the host may get a token with these permissions, which can be others than those of
  /// the app.
  func check(_ wanted: ScopeChoice) throws(CommandError) {
    guard let api, !connection.apiMayGetToken(with: wanted.scopes) else { return }
    throw .notSent(to: api)
  }

  private static func advice(for service: AzureService) -> Sentence {
    // Without an address, the organization is one of the worldwide cloud.
    let cloud = service.cloud == Authority.common.environment ? nil : service.cloud
    let address = cloud.map { "https://\($0)/" } ?? ""
    let command = AdvisedCommand(
      name: "app add",
      options: [
        (name: "--client-id", value: "ID"), (name: "--authority", value: "\(address)ORGANIZATION"),
      ])
    return Sentence(
      "Add an app that does: '{command}'. ORGANIZATION is the domain of your organization, and 'man"
        + " entrancectl' shows how to get the ID. If there is one already, choose it with --app.",
      ["command": command.text])
  }

  /// The host of a URL, with the port if it is not that of the scheme.
  private static func host(of url: String) -> String? {
    guard let url = URL(string: url), url.scheme == "https", let host = url.host() else {
      return nil
    }
    return (url.port.map { $0 == 443 ? host : "\(host):\($0)" } ?? host).lowercased()
  }
}

extension String {
  /// Whether it is a host directly below `domain`, with one label before it.
  func isHost(below domain: String) -> Bool {
    let label = dropLast(domain.count)
    return hasSuffix(domain) && !label.isEmpty && !label.contains(".")
  }
}
