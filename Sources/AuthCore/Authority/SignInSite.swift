/// What is known about a host whose page a sign-in shows.
package enum SignInSite: Sendable, Equatable {
  /// The host where the sign-in began, or another name of it.
  case authority
  /// Another host of Microsoft that takes part in sign-ins.
  case microsoft
  /// Any other host: an organization's own identity provider, or a stranger.
  case other

  /// - Parameters:
  ///   - host: the page's host, with its port when that is not 443.
  ///   - start: the host of the first page.
  package init(host: String, start: String) {
    if KnownClouds.aliases(of: start).contains(host) {
      self = .authority
    } else if KnownClouds.contains(host) || KnownClouds.continuingHosts.contains(host) {
      self = .microsoft
    } else {
      self = .other
    }
  }

  /// Whether a sign-in that begins on `host` is Microsoft's.
  package static func isMicrosofts(_ host: String) -> Bool {
    KnownClouds.contains(host) || MicrosoftHosts.externalIDTenant(of: host) != nil
      || MicrosoftHosts.b2cTenant(of: host) != nil
  }
}
