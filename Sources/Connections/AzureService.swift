import AuthCore

/// A service of Azure's, for programs that ask for its tokens and name no app, such as git.
///
/// Its tokens are from Microsoft Entra ID. Other services that sign people in have none, and theirs
/// are not for Azure's hosts.
package struct AzureService: Sendable {
  /// Azure Repos, which is in the worldwide cloud only.
  package static let repos = AzureService(
    scope: "499b84ac-1321-427f-aa17-267ca6975798", cloud: "login.microsoftonline.com")
  /// Azure Kubernetes Service.
  package static let kubernetes = AzureService(
    scope: "6dae42f8-4368-4678-94ff-3960e28e3630", cloud: nil)

  /// Azure Container Registry in a cloud.
  ///
  /// - Parameter cloud: the first sign-in host of the cloud.
  package static func registry(in cloud: String) -> AzureService {
    AzureService(scope: "https://containerregistry.azure.net", cloud: cloud)
  }

  /// What scopes call it.
  private let scope: String
  /// The first sign-in host of the cloud that it is in; nil for one that is in each.
  package let cloud: String?

  private init(scope: String, cloud: String?) {
    (self.scope, self.cloud) = (scope, cloud)
  }

  /// The app whose tokens it gets: the first that requests its permissions, or else the first that
  /// signs in to its cloud; nil when there is none.
  package func app(among connections: [Connection]) -> Connection? {
    let fitting = connections.filter(fits)
    return fitting.first(where: isRequested) ?? fitting.first
  }

  /// Whether the app's tokens can be for it: one that is named gets them in whichever cloud it is.
  package func takes(_ connection: Connection) -> Bool {
    connection.application.authority.kind == .entra
  }

  /// The scopes of its tokens for an app.
  package func scopes(for connection: Connection) -> [String] {
    isRequested(by: connection) ? connection.scopes : ["\(scope)/.default"]
  }

  /// Whether the app can be chosen.
  private func fits(_ connection: Connection) -> Bool {
    guard takes(connection) else { return false }
    // Somebody's own service, such as an emulator, has tokens for it only if the app says so.
    guard let own = connection.application.authority.cloud else {
      return isRequested(by: connection)
    }
    return cloud == nil || cloud == own
  }

  private func isRequested(by connection: Connection) -> Bool {
    connection.scopes.contains {
      let name = $0.lowercased()
      return name == scope || name.hasPrefix("\(scope)/")
    }
  }
}
