import CurlHTTP
import Sentences

/// The parts of an authority's URL, with the checks that all kinds share.
struct AuthorityURL {
  /// Why a URL is not valid for an authority.
  struct Fault: Error {
    var reason: Sentence
  }

  /// The parts of the path, as the kind of authority defines them.
  struct Parts {
    var tenant: String
    var policy: String?
    var path: String
  }

  /// The host in lower case, with its port when that is not 443.
  let environment: String
  /// The path components, as written.
  private let segments: [Substring]
  /// The path, as written.
  private let path: Substring
  private let hasQueryOrFragment: Bool

  init(_ url: String) throws(Fault) {
    guard !url.isEmpty else {
      throw Fault(reason: Sentence("it is empty"))
    }
    guard url.utf8.allSatisfy({ $0.isVisibleASCII && $0 != UInt8(ascii: "\\") }) else {
      throw Fault(reason: Sentence("it can contain only letters, digits, and URL characters"))
    }
    guard url.lowercased().hasPrefix("https://") else {
      throw Fault(reason: Sentence("it must use https"))
    }
    let behindScheme = url.dropFirst("https://".count)
    let hostAndPort = behindScheme.prefix { !"/?#".contains($0) }
    guard !Self.isAddress(hostAndPort) else {
      throw Fault(
        reason: Sentence(
          "“{host}” is an IP address; use the host name from the certificate",
          ["host": hostAndPort]))
    }
    guard let environment = Self.environment(hostAndPort.lowercased()) else {
      throw Fault(reason: Sentence("“{host}” is not a valid host name", ["host": hostAndPort]))
    }
    self.environment = environment
    let behindHost = behindScheme.dropFirst(hostAndPort.count)
    path = behindHost.prefix { !"?#".contains($0) }
    hasQueryOrFragment = path.endIndex != behindHost.endIndex
    segments = path.split(separator: "/")
  }

  /// A URL with its scheme and host in lower case, and without the port 443 (RFC 3986, sections
  /// 6.2.2.1 and 6.2.3); the same URL when it is not `https`, or has no valid host name.
  static func normalized(_ url: String) -> String {
    // Some characters of other alphabets have ASCII letters as their lower case.
    guard url.utf8.allSatisfy({ $0 < 0x80 }), url.lowercased().hasPrefix("https://") else {
      return url
    }
    let behindScheme = url.dropFirst("https://".count)
    let hostAndPort = behindScheme.prefix { !"/?#".contains($0) }
    guard let environment = Self.environment(hostAndPort.lowercased()) else { return url }
    return "https://\(environment)\(behindScheme.dropFirst(hostAndPort.count))"
  }

  /// The host, without the port.
  private var host: Substring { environment.prefix { $0 != ":" } }

  /// The kind that the URL indicates, in MSAL's order.
  var kind: Authority.Kind {
    let first = segments.first?.lowercased()
    if first == "tfp" || MicrosoftHosts.b2cTenant(of: host) != nil { return .b2c }
    // Microsoft's clouds do not host AD FS.
    if first == "adfs", !KnownClouds.contains(environment) { return .adfs }
    if MicrosoftHosts.isExternalID(host) { return .externalID }
    return .entra
  }

  /// Parses the path for an authority of `kind`.
  func parts(for kind: Authority.Kind) throws(Fault) -> Parts {
    switch kind.known {
    case .entra: try entra()
    case .externalID: try externalID()
    case .b2c: try b2c()
    case .adfs: try adfs()
    case .oidc: try openIDConnect()
    }
  }

  private func entra() throws(Fault) -> Parts {
    guard let tenant = try segment(0) else {
      throw Fault(
        reason: Sentence("it must have a tenant, such as “/common” or “/contoso.com”"))
    }
    guard tenant != "adfs" else {
      throw Fault(reason: Sentence("AD FS is a different kind of service"))
    }
    guard tenant != "tfp" else {
      throw Fault(reason: Sentence("B2C is a different kind of service"))
    }
    return Parts(tenant: tenant, path: "/\(tenant)")
  }

  private func externalID() throws(Fault) -> Parts {
    if let tenant = try segment(0) { return Parts(tenant: tenant, path: "/\(tenant)") }
    guard MicrosoftHosts.isExternalID(host) else {
      throw Fault(
        reason: Sentence("it must have a tenant, such as “/contoso.onmicrosoft.com”"))
    }
    guard let name = MicrosoftHosts.externalIDTenant(of: host) else {
      throw Fault(
        reason: Sentence(
          "its host name must have three parts, such as https://TENANT.ciamlogin.com, or be a custom"
            + " domain"))
    }
    let tenant = "\(name).onmicrosoft.com"
    return Parts(tenant: tenant, path: "/\(tenant)")
  }

  private func b2c() throws(Fault) -> Parts {
    if segments.first?.lowercased() == "tfp" {
      guard let tenant = try segment(1), let policy = try segment(2) else {
        throw Fault(
          reason: Sentence(
            "its path must have at least three segments, such as"
              + " https://TENANT.b2clogin.com/tfp/TENANT/POLICY"))
      }
      return Parts(tenant: tenant, policy: policy, path: "/tfp/\(tenant)/\(policy)")
    }
    guard let tenant = try segment(0), let policy = try segment(1) else {
      throw Fault(
        reason: Sentence(
          "its path must have at least two segments, such as"
            + " https://TENANT.b2clogin.com/TENANT/POLICY"))
    }
    return Parts(tenant: tenant, policy: policy, path: "/\(tenant)/\(policy)")
  }

  private func adfs() throws(Fault) -> Parts {
    guard try segment(0) == "adfs" else {
      throw Fault(reason: Sentence("an address of AD FS must end with “/adfs”"))
    }
    return Parts(tenant: "adfs", path: "/adfs")
  }

  /// An issuer has no query and no fragment (OpenID Connect Discovery 1.0, section 3), and its path
  /// is used unchanged.
  private func openIDConnect() throws(Fault) -> Parts {
    guard !hasQueryOrFragment else {
      throw Fault(reason: Sentence("an issuer cannot have a query or a fragment"))
    }
    for index in segments.indices { _ = try segment(index) }
    guard !path.contains("//") else {
      throw Fault(reason: Sentence("its path has an empty segment"))
    }
    return Parts(tenant: "", path: String(path))
  }

  /// A path component in lower case; nil when it is missing.
  private func segment(_ index: Int) throws(Fault) -> String? {
    guard index < segments.count else { return nil }
    let text = segments[index].lowercased()
    guard text != ".", text != "..",
      text.utf8.allSatisfy({ $0.isAlphanumeric || ".-_".utf8.contains($0) })
    else {
      throw Fault(
        reason: Sentence(
          "“{text}” is not a valid part of an address, such as a tenant", ["text": text]))
    }
    return text
  }

  private static func environment(_ text: String) -> String? {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let host = parts[0]
    let labels = host.split(separator: ".", omittingEmptySubsequences: false)
    let isName = labels.allSatisfy { label in
      !label.isEmpty && !label.hasPrefix("-") && !label.hasSuffix("-")
        && label.utf8.allSatisfy { $0.isAlphanumeric || $0 == UInt8(ascii: "-") }
    }
    guard isName else { return nil }
    guard parts.count == 2 else { return String(host) }
    guard !parts[1].isEmpty, parts[1].utf8.allSatisfy(\.isDigit),
      let port = UInt16(parts[1]), port > 0
    else { return nil }
    return port == 443 ? String(host) : "\(host):\(port)"
  }

  /// Whether it is an IP address, with or without a port: `[…]`, or a last label of digits only.
  ///
  /// Public certificates are issued for names, and the sign-in window shows the name.
  private static func isAddress(_ hostAndPort: Substring) -> Bool {
    let host = hostAndPort.prefix { $0 != ":" }
    let last = host.split(separator: ".", omittingEmptySubsequences: false).last ?? ""
    return hostAndPort.hasPrefix("[") || !last.isEmpty && last.allSatisfy(\.isNumber)
  }
}
