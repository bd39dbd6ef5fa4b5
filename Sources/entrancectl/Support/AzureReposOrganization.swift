import AuthCore
import Connections
import CurlHTTP
import EntranceKit
import FoundationEssentials
import HTTPTypes

/// An organization of Azure Repos, and the tenant that it belongs to.
struct AzureReposOrganization {
  private let name: String

  /// The organization of the repository that git asks for; nil when it is unknown, or the host is
  /// another one.
  init?(of request: GitCredential) {
    guard let host = request.host, Self.hasHost(host), let name = Self.name(host, request) else {
      return nil
    }
    self.name = name
  }

  /// Whether `host` is one of Azure Repos.
  static func hasHost(_ host: String) -> Bool {
    host == "dev.azure.com" || host.isHost(below: ".visualstudio.com")
  }

  /// Azure Repos' URLs: `https://ORG@dev.azure.com/ORG/…` and `https://ORG.visualstudio.com/…`.
  private static func name(_ host: String, _ request: GitCredential) -> String? {
    let name =
      host == "dev.azure.com"
      ? request.path?.split(separator: "/").first.map(String.init) ?? request.username
      : host.split(separator: ".").first.map(String.init)
    guard let name, !name.isEmpty,
      name.utf8.allSatisfy({ $0.isAlphanumeric || "-_.".utf8.contains($0) })
    else { return nil }
    return name
  }

  // MARK: - The tenant

  /// The authority of the organization's tenant, for an app that people of any tenant use; nil
  /// for the app's own.
  ///
  /// Azure DevOps names the tenant in its answer to anyone. It is kept, for git asks at each fetch.
  func authority(
    for app: Connection, _ transport: any HTTPTransport
  ) async -> Authority? {
    let own = app.application.authority
    guard ["common", "organizations"].contains(own.tenant) else { return nil }
    if let kept = keptTenant() { return own.with(tenant: kept) }
    let request = HTTPRequest(
      method: .get, scheme: "https", authority: "dev.azure.com", path: "/\(name)")
    // Only the head of the answer is received.
    guard let reply = try? await transport.stream(request, body: Data(), limits: HTTPLimits()),
      let field = HTTPField.Name("X-VSS-ResourceTenant"),
      let tenant = reply.response.headerFields[field].flatMap(UUID.init(uuidString:)),
      // Personal accounts have this one of zeros.
      tenant.uuidString != "00000000-0000-0000-0000-000000000000"
    else { return nil }
    let text = tenant.uuidString.lowercased()
    try? tenantFile.makeDirectory()
    _ = try? tenantFile.write(Array(text.utf8))
    return own.with(tenant: text)
  }

  /// Asks for the tenant again the next time.
  func forgetTenant() {
    try? FileManager.default.removeItem(atPath: tenantFile.path)
  }

  private func keptTenant() -> String? {
    guard let bytes = try? FileReader(tenantFile.path).read(upTo: 64),
      let text = String(validating: bytes, as: UTF8.self), UUID(uuidString: text) != nil
    else { return nil }
    return text
  }

  private var tenantFile: PrivateFile {
    let file = HashedFileName.of(name.lowercased())
    return PrivateFile(path: "\(EntranceIdentity.cacheDirectory)/azure-repos/\(file)")
  }
}
