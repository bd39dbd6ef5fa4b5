import AuthCore
import Connections
import CurlHTTP
import EntranceKit
import FoundationEssentials
import HTTPTypes

/// A server of git repositories that takes an app's tokens: Azure Repos, or the host of an app's
/// API (``AppForHost``).
struct GitHost {
  /// The app whose tokens it takes.
  let app: AppForHost
  /// The organization of Azure Repos, if it is known.
  private let organization: String?

  /// Finds the app for a host.
  ///
  /// - Parameter name: the name of the app that was asked for; nil to find one.
  /// - Returns: nil for a host that must not get a token.
  /// - Throws: when no app gets tokens for Azure Repos.
  init?(_ host: String, _ request: GitCredential, app name: String?) throws(CommandError) {
    let isAzureRepos = Self.isAzureRepos(host)
    let found: AppForHost? =
      if isAzureRepos {
        try AppForHost(.repos, named: host, app: name)
      } else {
        try AppForHost(host, app: name)
      }
    guard let found else { return nil }
    app = found
    organization = isAzureRepos ? Self.organization(host, request) : nil
  }

  private static func isAzureRepos(_ host: String) -> Bool {
    host == "dev.azure.com" || host.isHost(below: ".visualstudio.com")
  }

  /// Azure Repos' URLs: `https://ORG@dev.azure.com/ORG/…` and `https://ORG.visualstudio.com/…`.
  private static func organization(_ host: String, _ request: GitCredential) -> String? {
    let name =
      host == "dev.azure.com"
      ? request.path?.split(separator: "/").first.map(String.init) ?? request.username
      : host.split(separator: ".").first.map(String.init)
    guard let name, !name.isEmpty,
      name.utf8.allSatisfy({ byte in
        byte.isAlphanumeric || "-_.".utf8.contains(byte)
      })
    else { return nil }
    return name
  }

  // MARK: - The tenant

  /// The authority of the organization's tenant, for an app that people of any tenant use; nil
  /// for the app's own.
  ///
  /// Azure DevOps names the tenant in its answer to anyone. It is kept, for git asks at each fetch.
  func authority(_ transport: any HTTPTransport) async -> Authority? {
    let own = app.connection.application.authority
    guard let organization, ["common", "organizations"].contains(own.tenant) else { return nil }
    if let kept = keptTenant() { return own.with(tenant: kept) }
    let request = HTTPRequest(
      method: .get, scheme: "https", authority: "dev.azure.com", path: "/\(organization)")
    // Only the head of the answer is received.
    guard let reply = try? await transport.stream(request, body: Data(), limits: HTTPLimits()),
      let name = HTTPField.Name("X-VSS-ResourceTenant"),
      let tenant = reply.response.headerFields[name].flatMap(UUID.init(uuidString:)),
      // Personal accounts have this one of zeros.
      tenant.uuidString != "00000000-0000-0000-0000-000000000000"
    else { return nil }
    let text = tenant.uuidString.lowercased()
    if let file = tenantFile {
      try? file.makeDirectory()
      _ = try? file.write(Array(text.utf8))
    }
    return own.with(tenant: text)
  }

  /// Asks for the tenant again the next time.
  func forgetTenant() {
    if let path = tenantFile?.path { try? FileManager.default.removeItem(atPath: path) }
  }

  private func keptTenant() -> String? {
    guard let path = tenantFile?.path,
      let bytes = try? FileReader(path).read(upTo: 64),
      let text = String(validating: bytes, as: UTF8.self), UUID(uuidString: text) != nil
    else { return nil }
    return text
  }

  private var tenantFile: PrivateFile? {
    organization.map {
      PrivateFile(
        path: "\(EntranceIdentity.cacheDirectory)/azure-repos/\(FileName.hash($0.lowercased()))")
    }
  }
}
