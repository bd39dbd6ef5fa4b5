public import AuthCore

/// A cloud of Microsoft, with the hosts of its sign-in service and its Graph.
///
/// Tokens of one are not accepted in another, and an app must be registered in each.
public struct GraphCloud: Sendable, Hashable {
  /// The host of Microsoft Graph.
  public let host: String
  /// The hosts of the sign-in service.
  public let signInHosts: [String]

  /// The global service, which personal accounts and GCC use, too.
  public static let global = GraphCloud(
    host: "graph.microsoft.com",
    signInHosts: ["login.microsoftonline.com", "login.windows.net", "login.microsoft.com"])
  /// US Government L4 (GCC High).
  public static let usGovernment = GraphCloud(
    host: "graph.microsoft.us",
    signInHosts: ["login.microsoftonline.us", "login.usgovcloudapi.net"])
  /// US Government L5 (Department of Defense).
  ///
  /// Its sign-in service is that of L4, so it must be chosen.
  public static let usGovernmentDoD = GraphCloud(
    host: "dod-graph.microsoft.us", signInHosts: [])
  /// China, operated by 21Vianet.
  public static let china = GraphCloud(
    host: "microsoftgraph.chinacloudapi.cn",
    signInHosts: ["login.partner.microsoftonline.cn", "login.chinacloudapi.cn"])

  /// All clouds.
  public static let all = [global, usGovernment, usGovernmentDoD, china]

  /// Another host that has the API of Microsoft Graph, such as an emulator's.
  public init(host: String, signInHosts: [String] = []) {
    self.host = host
    self.signInHosts = signInHosts
  }

  /// The cloud that signed `account` in; the global one when its host is of none.
  public init(of account: Account) {
    self = Self.all.first { $0.signInHosts.contains(account.environment) } ?? .global
  }

  /// `scope` as a scope of this cloud: outside of the global service, with the host of its Graph.
  package func scope(_ scope: String) -> String {
    let isOpenID = Scopes.withoutOpenID([scope]).isEmpty
    return self == .global || isOpenID || scope.contains("://") || !Self.all.contains(self)
      ? scope : "https://\(host)/\(scope)"
  }
}
