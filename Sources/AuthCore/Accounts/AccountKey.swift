/// An account's identity: its ID, with its cloud or other host.
///
/// A cloud has several hosts, and an account is the same at all of them. ``Account/environment`` is
/// one of the hosts.
public struct AccountKey: Hashable, Sendable {
  /// ``HomeAccountID`` as text.
  public let homeAccountID: String
  /// The first host of the cloud, such as `login.microsoftonline.com`; the environment itself
  /// outside of Microsoft's clouds.
  public let cloud: String

  /// Creates the key of an account.
  ///
  /// - Parameters:
  ///   - homeAccountID: ``HomeAccountID`` as text: `uid.utid`, or a subject.
  ///   - environment: any host of the cloud; for an OpenID Connect provider, its issuer without
  ///     the scheme.
  public init(homeAccountID: String, environment: String) {
    self.homeAccountID = homeAccountID
    // A subject is unique only at its own host and port: another port may be another service.
    let hasTenant =
      homeAccountID.utf8.contains(UInt8(ascii: "."))
      && GUID.isValid(Substring(homeAccountID.utf8.suffix(36)))
    let host = hasTenant ? environment.withoutPort : environment
    cloud = KnownClouds.preferredHost(of: host) ?? host
  }

  /// Creates the key of the account with `id` at `authority`.
  init(_ id: HomeAccountID, at authority: Authority) {
    self.init(homeAccountID: id.description, environment: authority.cacheEnvironment)
  }
}

extension String {
  /// A host, with its port removed.
  var withoutPort: String {
    let colon = UInt8(ascii: ":")
    guard utf8.withContiguousStorageIfAvailable({ $0.contains(colon) }) ?? true else { return self }
    return String(prefix { $0 != ":" })
  }
}
