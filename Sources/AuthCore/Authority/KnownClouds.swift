/// The sign-in hosts of Microsoft's clouds, and which of them are aliases of each other.
///
/// With this built-in table, the cache can be read without a network request.
enum KnownClouds {
  /// The hosts of each cloud.
  ///
  /// The first is the preferred host, which gets the requests.
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

  /// Microsoft's hosts on which a sign-in continues: those of personal accounts, and those on which
  /// users register security info or reset a password.
  ///
  /// The hosts of tenants are not among them: their owners are Microsoft's customers.
  static let continuingHosts = [
    "login.live.com", "account.live.com", "signup.live.com", "mysignins.microsoft.com",
    "account.activedirectory.windowsazure.com", "passwordreset.microsoftonline.com",
    "device.login.microsoftonline.com",
  ]

  /// Microsoft's hosts for entering device codes, whichever of its clouds issued them.
  static let deviceCodeHosts = [
    "microsoft.com", "www.microsoft.com", "login.microsoft.com", "login.live.com",
  ]

  /// All aliases of `environment`; itself alone when it is unknown.
  static func aliases(of environment: String) -> [String] {
    hosts.first { $0.contains(environment) } ?? [environment]
  }

  /// The preferred host of `environment`'s cloud; nil when it is unknown.
  static func preferredHost(of environment: String) -> String? {
    hosts.first { $0.contains(environment) }?.first
  }

  /// The hosts whose pages the authority at `environment` may send a user to: its own, and for
  /// Microsoft's clouds also the hosts for entering device codes.
  static func pageHosts(of environment: String) -> [String] {
    aliases(of: environment) + (contains(environment) ? deviceCodeHosts : [])
  }

  /// Whether `environment` is a host of one of Microsoft's clouds.
  static func contains(_ environment: String) -> Bool {
    hosts.contains { $0.contains(environment) }
  }
}
