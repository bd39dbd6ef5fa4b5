/// The hosts that Microsoft gives to the tenants of External ID and B2C.
///
/// Only a whole name counts, with one part of it for the tenant: what merely looks alike is a stranger.
enum MicrosoftHosts {
  private static let externalID = "ciamlogin.com"
  private static let b2c = ["b2clogin.com", "b2clogin.cn", "b2clogin.us", "b2clogin.de"]

  /// Whether `host` is External ID's own, whatever the tenant.
  static func isExternalID(_ host: some StringProtocol) -> Bool {
    host == externalID || host.hasSuffix(".\(externalID)")
  }

  /// The tenant's name in a host of External ID's.
  static func externalIDTenant(of host: some StringProtocol) -> String? {
    label(of: host, before: externalID)
  }

  /// The tenant's name in a host of B2C's.
  static func b2cTenant(of host: some StringProtocol) -> String? {
    b2c.lazy.compactMap { label(of: host, before: $0) }.first
  }

  private static func label(of host: some StringProtocol, before domain: String) -> String? {
    guard host.hasSuffix(".\(domain)") else { return nil }
    let label = host.dropLast(domain.count + 1)
    return label.isEmpty || label.contains(".") ? nil : String(label)
  }
}
