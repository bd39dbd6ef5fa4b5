import AuthCore
import FoundationEssentials

// What addresses become.
extension Redaction {
  /// Whether a text is a URL and not prose: it begins with a scheme (RFC 3986, section 3.1), and
  /// has no character that ends a URL in a text.
  static func isURL(_ text: String) -> Bool {
    guard let end = text.firstRange(of: "://") else { return false }
    let scheme = text[..<end.lowerBound]
    return scheme.first.map { $0.isASCII && $0.isLetter } == true
      && scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) || "+-.".contains($0) }
      && !text.contains { $0.isWhitespace || $0 == "<" || $0 == "\"" }
  }

  /// A URL, or the path of one.
  ///
  /// Words are kept where they are those of a known service; elsewhere, anyone can have written
  /// them.
  mutating func url(_ text: String) -> String {
    var rest = text[...]
    var start = ""
    var isKnown = true
    let base = text.prefix { !"?#".contains($0) }
    let address = base.hasSuffix("/") ? base.dropLast() : base
    if let redirect = standIns[String(address)] {
      // The app's redirect URI, which is one value.
      start = redirect + base.dropFirst(address.count)
      rest = rest[base.endIndex...]
      isKnown = false
    } else if let end = rest.firstRange(of: "://") {
      let scheme = rest[..<end.lowerBound]
      rest = rest[end.upperBound...]
      let authority = rest.prefix { !"/?#".contains($0) }
      rest = rest[authority.endIndex...]
      let isWeb = ["http", "https"].contains(scheme.lowercased())
      isKnown = isWeb && Self.isKnownHost(authority)
      start =
        isWeb
        ? "\(scheme)://" + host(String(authority))
        : standIn("\(scheme)://\(authority)", .id) + ":"
    }
    let fragment = rest.drop { $0 != "#" }
    rest = rest.prefix { $0 != "#" }
    let path = rest.prefix { $0 != "?" }
    let query = rest[path.endIndex...].dropFirst()
    var result = start + self.path(path, isKnown: isKnown)
    if rest.contains("?") {
      result += "?" + parameters(String(query), isForm: false, isKnown: isKnown)
    }
    if !fragment.isEmpty {
      let inner = String(fragment.dropFirst())
      let isPlain = isKnown && inner.split { "/(),".contains($0) }.allSatisfy(Self.isWord)
      // That of a redirect has parameters.
      result +=
        "#"
        + (isPlain
          ? inner
          : inner.contains("=") && !inner.contains("(")
            ? parameters(inner, isForm: false, isKnown: isKnown) : standIn(inner, .id))
    }
    return result
  }

  /// A host, with its port.
  mutating func host(_ text: String) -> String {
    guard !Self.isKnownHost(text) else { return text }
    guard !text.contains("@") else { return standIn(text, .secret) }
    let name = text.prefix { $0 != ":" }
    let port = text[name.endIndex...]
    guard Self.isPort(port) else { return standIn(text, .secret) }
    return standIn(name.lowercased(), .host) + port
  }

  private static func isKnownHost(_ text: some StringProtocol) -> Bool {
    let text = text.lowercased()
    return knownHosts.contains(text)
      || ["localhost", "127.0.0.1", "[::1]"].contains {
        text.hasPrefix($0) && isPort(text.dropFirst($0.count))
      }
  }

  /// Whether a text is nothing, or a port with its colon.
  private static func isPort(_ text: Substring) -> Bool {
    text.isEmpty || text.first == ":" && text.dropFirst().allSatisfy { ("0"..."9").contains($0) }
  }

  private static let knownHosts: Set<String> = Set(
    GraphCloud.all.flatMap { [$0.host] + $0.signInHosts } + [
      "sts.windows.net", "login.live.com", "microsoft.com", "www.microsoft.com",
      "login-us.microsoftonline.com", "microsoftonline.com", "microsoft.us",
    ])

  private mutating func path(_ path: Substring, isKnown: Bool) -> String {
    let segments = path.split(separator: "/", omittingEmptySubsequences: false)
    let isStrict = !isKnown || segments.contains(where: Self.signInSegments.contains)
    var isNames = false
    var result: [String] = []
    for segment in segments {
      let ends = segment.hasSuffix(":")
      if isNames {
        let name = Self.decoded(ends ? segment.dropLast() : segment)
        result.append(standIn(name, .name) + (ends ? ":" : ""))
        if ends { isNames = false }
      } else if Self.pathWords.contains(segment.lowercased()) {
        result.append(String(segment))
      } else if !isStrict, Self.isWord(ends ? segment.dropLast() : segment) {
        result.append(String(segment))
        isNames = ends
      } else {
        result.append(
          standIn(Self.decoded(ends ? segment.dropLast() : segment), .id) + (ends ? ":" : ""))
        isNames = ends
      }
    }
    return result.joined(separator: "/")
  }

  /// Whether a segment is a word of Graph's own, in which nobody has written anything.
  private static func isWord(_ text: Substring) -> Bool {
    let word = text.lowercased()
    let type = word.hasPrefix("microsoft.graph.") ? String(word.dropFirst(16)) : word
    return pathWords.contains(word) || graphWords.contains(type)
  }

  private static let graphWords = PermissionTable.shared.words.union(GraphSchema.shared.words)

  private static let pathWords: Set<String> = [
    "", "v1.0", "v2.0", "beta", "oauth2", ".well-known", "openid-configuration", "token",
    "devicecode", "deviceauth", "authorize", "logout", "keys", "discovery", "instance", "common",
    "organizations", "consumers", "{tenantid}", "{tenant}", "me", "userinfo", "oidc", "srf",
    "$batch", "$metadata", "$entity", "$delta", "id", "collection", ".default", "device",
    "devicelogin",
  ]

  /// Segments of sign-in services.
  private static let signInSegments: Set<Substring> = ["oauth2", ".well-known", "discovery"]

  private static let signInHosts = Set(GraphCloud.all.flatMap(\.signInHosts)).union([
    "sts.windows.net", "login.live.com", "login-us.microsoftonline.com",
  ])

  /// A URL without its query and fragment.
  static func address(_ url: String) -> String { String(url.prefix { !"?#".contains($0) }) }

  /// Whether a URL is one of a sign-in service, by its host or path, or by what the service's
  /// configuration names.
  func isSignIn(_ url: String) -> Bool {
    let address = Self.address(url)
    guard let start = address.firstRange(of: "://")?.upperBound else { return false }
    let parts = address[start...].split(separator: "/")
    guard let host = parts.first?.lowercased(), !GraphCloud.all.contains(where: { $0.host == host })
    else { return false }
    return Self.signInHosts.contains(host) || signInAddresses.contains(address)
      || parts.dropFirst().contains(where: Self.signInSegments.contains)
  }

  /// A segment of a path without its escapes.
  static func decoded(_ text: some StringProtocol) -> String {
    FormEncoding.parse("x=" + String(text).replacing("+", with: "%2B"))?.first?.value
      ?? String(text)
  }
}
