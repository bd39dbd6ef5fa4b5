/// What tells an account from all others: who it is, and in which cloud or at which other host.
///
/// A cloud has several hosts, and an account is the same at all of them. ``Account/environment`` is one of
/// the hosts.
public struct AccountKey: Hashable, Sendable {
  /// ``HomeAccountID`` as text.
  public let homeAccountID: String
  /// The first host of the cloud, such as `login.microsoftonline.com`, or else the environment itself.
  public let cloud: String

  /// The key of an account.
  ///
  /// - Parameters:
  ///   - homeAccountID: ``HomeAccountID`` as text: `uid.utid`, or a subject.
  ///   - environment: any host of the cloud; for an OpenID Connect provider its issuer without the scheme.
  public init(homeAccountID: String, environment: String) {
    self.homeAccountID = homeAccountID
    // A subject is one at its very place: what listens at another port may be another service.
    let hasTenant =
      homeAccountID.utf8.contains(UInt8(ascii: "."))
      && GUID.isValid(Substring(homeAccountID.utf8.suffix(36)))
    let host = hasTenant ? environment.withoutPort : environment
    cloud = KnownClouds.preferredHost(of: host) ?? host
  }
}

extension String {
  /// A host and port without the port.
  var withoutPort: String {
    let colon = UInt8(ascii: ":")
    guard utf8.withContiguousStorageIfAvailable({ $0.contains(colon) }) ?? true else { return self }
    return String(prefix { $0 != ":" })
  }
}
