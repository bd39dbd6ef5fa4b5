extension UnifiedTokenCache {
  /// Whose an entry is: an account in one of Microsoft's clouds, or at another host.
  struct AccountID: Hashable, Sendable {
    /// ``HomeAccountID`` as text.
    let homeAccountID: String
    /// The first name of the cloud, or else the environment itself.
    let cloud: String

    init(homeAccountID: String, environment: String) {
      self.homeAccountID = homeAccountID
      // A subject is one at its very place: what listens at another port may be another service.
      let hasTenant =
        homeAccountID.utf8.contains(UInt8(ascii: "."))
        && GUID.isValid(Substring(homeAccountID.utf8.suffix(36)))
      let host = hasTenant ? environment.withoutPort : environment
      cloud = KnownClouds.preferredHost(of: host) ?? host
    }
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
