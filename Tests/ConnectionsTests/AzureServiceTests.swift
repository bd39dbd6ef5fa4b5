import Connections
import Testing

/// The IDs of the services are those of Microsoft's pages about Azure Repos, kubelogin and Azure
/// Container Registry.
@Suite("The app for a service of Azure")
struct AzureServiceTests {
  private static let worldwide = AzureService.registry(in: "login.microsoftonline.com")

  /// Apps with these members in `apps.json`.
  private func apps(_ members: [(name: String, members: String)]) throws -> [Connection] {
    let id = "11111111-2222-3333-4444-555555555555"
    let apps = members.map { #"{"name": "\#($0.name)", "clientID": "\#(id)", \#($0.members)}"# }
    let text = #"{"version": 1, "apps": [\#(apps.joined(separator: ","))]}"#
    return try ConnectionFile.parse(text.utf8)
  }

  private static let otherApps: [(name: String, members: String)] = [
    ("customers", #""authority": "https://contoso.ciamlogin.com""#),
    (
      "B2C",
      #""authority": "https://contoso.b2clogin.com/contoso.onmicrosoft.com/b2c_1_a", "api": "https://a.example""#
    ),
    (
      "server",
      #""authority": "https://id.example", "authorityKind": "oidc", "api": "https://a.example", "#
        + #""knownAuthorities": ["https://id.example"], "scopes": ["499b84ac-1321-427f-aa17-267ca6975798/x"]"#
    ),
    (
      "emulator",
      #""authority": "https://localhost:5555/common", "#
        + #""knownAuthorities": ["https://localhost:5555/common"], "api": "https://localhost:5555/v1.0/me""#
    ),
  ]

  @Test("An app of another service is not chosen, wherever it is in the list")
  func anotherService() throws {
    let others = try apps(Self.otherApps)
    let all = try apps(
      Self.otherApps + [
        (name: "work", members: #""authority": "https://login.microsoftonline.com/common""#)
      ])
    #expect(others.count == Self.otherApps.count)
    for service in [AzureService.repos, .kubernetes, Self.worldwide] {
      #expect(service.app(among: others)?.name == nil)
      #expect(service.app(among: all)?.name == "work")
      #expect(service.app(among: [])?.name == nil)
    }
    // The person knows better, but for a service that has no such tokens.
    #expect(others.filter(AzureService.repos.takes).map(\.name) == ["emulator"])
  }

  @Test("An app that requests the permissions of the service comes before others")
  func requested() throws {
    let scopes = #""scopes": ["499b84ac-1321-427f-aa17-267ca6975798/user_impersonation"]"#
    let all = try apps([
      ("first", #""authority": "https://login.microsoftonline.com/common""#),
      ("alike", #""scopes": ["499b84ac-1321-427f-aa17-267ca69757980/x"]"#),
      ("repos", scopes),
    ])
    let repos = try #require(AzureService.repos.app(among: all))
    #expect(repos.name == "repos")
    #expect(
      AzureService.repos.scopes(for: repos) == [
        "499b84ac-1321-427f-aa17-267ca6975798/user_impersonation"
      ])
    #expect(AzureService.kubernetes.app(among: all)?.name == "first")
    #expect(
      AzureService.kubernetes.scopes(for: repos) == [
        "6dae42f8-4368-4678-94ff-3960e28e3630/.default"
      ])
    let own = try apps([(Self.otherApps[3].name, "\(Self.otherApps[3].members), \(scopes)")])
    #expect(AzureService.repos.app(among: own)?.name == "emulator")
  }

  @Test("A service gets tokens of its own cloud")
  func clouds() throws {
    let all = try apps([
      ("china", #""authority": "https://login.chinacloudapi.cn/common""#),
      ("government", #""authority": "https://login.microsoftonline.us/common""#),
      ("worldwide", #""authority": "https://login.windows.net/common""#),
    ])
    #expect(AzureService.repos.app(among: all)?.name == "worldwide")
    #expect(AzureService.kubernetes.app(among: all)?.name == "china")
    for (cloud, name) in [
      ("login.microsoftonline.com", "worldwide"), ("login.microsoftonline.us", "government"),
      ("login.partner.microsoftonline.cn", "china"),
    ] {
      #expect(AzureService.registry(in: cloud).app(among: all)?.name == name)
    }
    #expect(AzureService.repos.app(among: Array(all.prefix(2)))?.name == nil)
  }
}
