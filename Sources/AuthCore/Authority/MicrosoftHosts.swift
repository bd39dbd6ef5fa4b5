/// The host names that Microsoft gives to External ID and B2C tenants.
///
/// Only the complete pattern with one label for the tenant matches, so that look-alike hosts do
/// not.
enum MicrosoftHosts {
  private static let externalID = "ciamlogin.com"
  private static let b2c = ["b2clogin.com", "b2clogin.cn", "b2clogin.us", "b2clogin.de"]

  /// Whether `host` belongs to External ID, for any tenant.
  static func isExternalID(_ host: some StringProtocol) -> Bool {
    host == externalID || host.hasSuffix(".\(externalID)")
  }

  /// The tenant's name in an External ID host.
  static func externalIDTenant(of host: some StringProtocol) -> String? {
    label(of: host, before: externalID)
  }

  /// The tenant's name in a B2C host.
  static func b2cTenant(of host: some StringProtocol) -> String? {
    b2c.lazy.compactMap { label(of: host, before: $0) }.first
  }

  /// Whether `host` is one of Microsoft's sign-in services, and so no organization's domain.
  static func isService(_ host: some StringProtocol) -> Bool {
    isExternalID(host) || b2cTenant(of: host) != nil || KnownClouds.contains(String(host))
  }

  private static func label(of host: some StringProtocol, before domain: String) -> String? {
    guard host.hasSuffix(".\(domain)") else { return nil }
    let label = host.dropLast(domain.count + 1)
    return label.isEmpty || label.contains(".") ? nil : String(label)
  }
}
