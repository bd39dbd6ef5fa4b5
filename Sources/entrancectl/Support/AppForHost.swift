import AuthCore
import Connections
import FoundationEssentials

/// The app whose tokens a host takes, for programs that name nothing but the host.
struct AppForHost {
  let connection: Connection
  /// The permissions of the tokens.
  let scopes: [String]

  /// Finds the app: one whose API is at `host`; or for a host of `service` the one that asks for its
  /// permissions, else the first that signs in with Microsoft Entra.
  ///
  /// - Parameters:
  ///   - host: the host, and its port if that is not 443.
  ///   - service: the service of Microsoft's that the host belongs to, as scopes name it; nil for none.
  ///   - app: the name of the app that was asked for; nil to find one.
  /// - Returns: nil for a host that must not get a token.
  init?(_ host: String, of service: String?, app: String?) throws(CommandError) {
    let candidates =
      app == nil ? try CommandContext.all() : [try CommandContext.find(app)]
    self.init(host, of: service, among: candidates)
  }

  /// Finds the app among `candidates`.
  init?(_ host: String, of service: String?, among candidates: [Connection]) {
    guard let service else {
      guard let named = candidates.first(where: { Self.host(of: $0.api) == host.lowercased() })
      else { return nil }
      (connection, scopes) = (named, named.scopes)
      return
    }
    let asking = candidates.first { $0.scopes.contains { $0.hasPrefix(service) } }
    guard
      let chosen = asking ?? candidates.first(where: { $0.application.authority.kind == .entra })
    else { return nil }
    connection = chosen
    scopes = asking?.scopes ?? ["\(service)/.default"]
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
