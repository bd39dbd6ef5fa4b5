/// The sign-in hosts of Microsoft's clouds, and which of them are names of the same one.
///
/// With this table at hand nothing has to be asked over the network before the cache is read.
enum KnownClouds {
  /// One cloud.
  ///
  /// The first host is the one that requests go to.
  static let hosts: [[String]] = [
    [
      "login.microsoftonline.com", "login.windows.net", "login.microsoft.com",
      "sts.windows.net",
    ],
    ["login.partner.microsoftonline.cn", "login.chinacloudapi.cn"],
    ["login.microsoftonline.us", "login.usgovcloudapi.net"],
    ["login-us.microsoftonline.com"],
    ["login.microsoftonline.de"],
    ["login.sovcloud-identity.fr"],
    ["login.sovcloud-identity.de"],
    ["login.sovcloud-identity.sg"],
  ]

  /// All names of the cloud that `environment` belongs to; itself alone when it is not a known one.
  static func aliases(of environment: String) -> [String] {
    hosts.first { $0.contains(environment) } ?? [environment]
  }

  /// The host that requests to the cloud of `environment` go to; nil when it is not a known one.
  static func preferredHost(of environment: String) -> String? {
    hosts.first { $0.contains(environment) }?.first
  }

  /// The hosts whose pages a person may be sent to by the authority at `environment`: its own, and for
  /// Microsoft's clouds those where Microsoft has people enter device codes.
  static func pageHosts(of environment: String) -> [String] {
    aliases(of: environment)
      + (contains(environment)
        ? ["microsoft.com", "www.microsoft.com", "login.microsoft.com", "login.live.com"] : [])
  }

  /// Whether `environment` is a host of one of Microsoft's clouds.
  static func contains(_ environment: String) -> Bool {
    hosts.contains { $0.contains(environment) }
  }
}
