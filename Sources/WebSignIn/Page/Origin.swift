/// The origin of a URL, as shown to the user.
nonisolated struct Origin: Sendable, Hashable, CustomStringConvertible {
  /// The scheme, in lower case.
  let scheme: String
  /// The host in lower case; international names in their ASCII form, which has no look-alikes.
  let host: String
  /// The port, when it is not the default.
  let port: UInt16?

  /// The most bytes of a host name (RFC 1035, section 2.3.4).
  private static let longestHost = 253

  /// The origin of `url`; nil when it has no host, or a longer one than there can be.
  init?(_ url: String) {
    guard let scheme = Self.scheme(of: url) else { return nil }
    let rest = url.dropFirst(scheme.utf8.count)
    guard rest.hasPrefix("://") else { return nil }
    let authority = rest.dropFirst(3).prefix { !"/?#\\".contains($0) }
    let hostAndPort = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
    var host = hostAndPort
    var port: Substring = ""
    // Colons within brackets belong to an IPv6 address.
    let colon = hostAndPort.lastIndex(of: ":")
    if let colon, !hostAndPort[colon...].contains("]") {
      host = hostAndPort[..<colon]
      port = hostAndPort[colon...].dropFirst()
    }
    guard !host.isEmpty, host.utf8.count <= Self.longestHost, port.isEmpty || UInt16(port) != nil
    else { return nil }
    self.scheme = scheme
    self.host = host.lowercased()
    // The default port can be written or omitted.
    self.port = UInt16(port).flatMap { scheme == "https" && $0 == 443 ? nil : $0 }
  }

  /// The host, with the port when it is not the default.
  var description: String { port.map { "\(host):\($0)" } ?? host }

  /// The URL without a path.
  var url: String { "\(scheme)://\(description)" }

  /// Whether it is a loopback host.
  var isLoopback: Bool {
    ["localhost", "127.0.0.1", "[::1]"].contains(host)
  }

  /// The scheme of `url`, in lower case.
  static func scheme(of url: String) -> String? {
    url.firstIndex(of: ":").map { url[..<$0].lowercased() }
  }
}
