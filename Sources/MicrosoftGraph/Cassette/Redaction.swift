import AuthCore
import FoundationEssentials
import HTTPTypes

/// Replaces what a recording must not hold by stand-ins, the same one for the same value.
///
/// What is kept is listed; anything else is replaced.
struct Redaction: Sendable {
  /// What a value is.
  enum Kind: String, Sendable { case secret, name, id, host }

  private var standIns: [String: String] = [:]
  private var counts: [Kind: Int] = [:]

  static let guidPrefix = "00000000-0000-4000-8000-"
  static let mailEnd = "@stand-in.example"

  /// The stand-in of a value.
  mutating func standIn(_ value: some StringProtocol, _ kind: Kind) -> String {
    guard !value.isEmpty, !Self.isStandIn(value) else { return String(value) }
    let isGUID = GUID.isValid(value)
    let key = isGUID ? value.lowercased() : String(value)
    if let known = standIns[key] { return known }
    let number = counts[isGUID ? .id : kind, default: 0] + 1
    counts[isGUID ? .id : kind] = number
    let digits = String(100_000 + number).dropFirst()
    var text = kind.rawValue + "-" + digits
    if isGUID {
      text = Self.guidPrefix + "0000000" + digits
    } else if kind == .host {
      text += ".example"
    } else if kind == .name, value.contains("@") {
      text += Self.mailEnd
    }
    standIns[key] = text
    return text
  }

  /// Whether a text is a stand-in, and nothing else.
  static func isStandIn(_ text: some StringProtocol) -> Bool {
    if text.hasPrefix(guidPrefix) { return text.utf8.count == 36 }
    guard let kind = kinds.first(where: { text.hasPrefix($0) }) else { return false }
    let rest = text.dropFirst(kind.count)
    let end = rest.dropFirst(5)
    return rest.prefix(5).allSatisfy { ("0"..."9").contains($0) }
      && (end.isEmpty || end == mailEnd || end == ".example")
  }

  /// Whether a text has a stand-in.
  static func hasStandIn(_ text: some StringProtocol) -> Bool {
    (kinds + [guidPrefix]).contains { text.contains($0) }
  }

  private static let kinds = ["secret-", "name-", "id-", "host-"]

  // MARK: Text

  /// A text for people, without what is known, and without what looks like a name or a secret.
  mutating func scrub(_ text: String) -> String {
    var text = text
    // The longest first: a name can be a part of another one.
    for (value, standIn) in standIns.sorted(by: { $0.key.utf8.count > $1.key.utf8.count })
    where value.utf8.count >= 4 {
      text = text.replacing(value, with: standIn)
    }
    var result = ""
    var word = ""
    for character in text {
      if character.isWhitespace || "'\"<>()[]{},;".contains(character) {
        result += scrub(word: word)
        word = ""
        result.append(character)
      } else {
        word.append(character)
      }
    }
    return result + scrub(word: word)
  }

  private mutating func scrub(word: String) -> String {
    if word.contains("://") { return url(word) }
    if word.contains("/") {
      var parts: [String] = []
      for part in word.split(separator: "/", omittingEmptySubsequences: false) {
        parts.append(scrub(word: String(part)))
      }
      return parts.joined(separator: "/")
    }
    let core = word.last.map { ".:".contains($0) } == true ? word.dropLast() : word[...]
    let end = word.dropFirst(core.count)
    if Self.isStandIn(core) { return word }
    if core.contains("@") { return standIn(core, .name) + end }
    if GUID.isValid(core) { return standIn(core, .id) + end }
    let isLong = core.utf8.count >= 20 && core.contains { $0.isNumber || $0 == "_" || $0 == "." }
    return isLong && !Self.isPermission(core) ? standIn(core, .secret) + end : word
  }

  /// A permission such as `Mail.ReadWrite.Shared`.
  private static func isPermission(_ text: some StringProtocol) -> Bool {
    text.first?.isUppercase == true
      && text.allSatisfy { $0.isASCII && ($0.isLetter || $0 == "." || $0 == "-") }
  }

  // MARK: Addresses

  /// A URL, or the path of one.
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
    } else if let end = rest.firstRange(of: "://") {
      let scheme = rest[..<end.lowerBound]
      rest = rest[end.upperBound...]
      let authority = rest.prefix { !"/?#".contains($0) }
      rest = rest[authority.endIndex...]
      let isWeb = ["http", "https"].contains(scheme.lowercased())
      isKnown = !isWeb || Self.isKnownHost(authority)
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
    if rest.contains("?") { result += "?" + parameters(String(query), isForm: false) }
    if !fragment.isEmpty {
      let inner = String(fragment.dropFirst())
      let isPlain = inner.allSatisfy { $0.isASCII && ($0.isLetter || "$/(),".contains($0)) }
      // That of a redirect has parameters.
      result +=
        "#"
        + (isPlain
          ? inner
          : inner.contains("=") && !inner.contains("(")
            ? parameters(inner, isForm: false) : standIn(inner, .id))
    }
    return result
  }

  /// A host, with its port.
  mutating func host(_ text: String) -> String {
    guard !Self.isKnownHost(text), !Self.isStandIn(text) else { return text }
    guard !text.contains("@") else { return standIn(text, .secret) }
    let name = text.prefix { $0 != ":" }
    return standIn(name.lowercased(), .host) + text[name.endIndex...]
  }

  private static func isKnownHost(_ text: some StringProtocol) -> Bool {
    let text = text.lowercased()
    return knownHosts.contains(text)
      || ["localhost", "127.0.0.1", "[::1]"].contains { text == $0 || text.hasPrefix($0 + ":") }
  }

  private static let knownHosts: Set<String> = Set(
    GraphCloud.all.flatMap { [$0.host] + $0.signInHosts } + [
      "sts.windows.net", "login.live.com", "microsoft.com", "www.microsoft.com",
      "login-us.microsoftonline.com", "microsoftonline.com", "microsoft.us",
    ])

  private mutating func path(_ path: Substring, isKnown: Bool) -> String {
    let segments = path.split(separator: "/", omittingEmptySubsequences: false)
    let isSignIn = segments.contains { ["oauth2", ".well-known", "discovery"].contains($0) }
    let isStrict = !isKnown || isSignIn
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
      } else if !isStrict, segment.utf8.count <= 40,
        Self.isWord(ends ? segment.dropLast() : segment)
      {
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

  private static func isWord(_ text: Substring) -> Bool {
    let name = text.hasPrefix("microsoft.graph.") ? text.dropFirst(16) : text
    let letters = name.first == "$" ? name.dropFirst() : name
    return letters.allSatisfy { $0.isASCII && $0.isLetter } || isPermission(letters)
  }

  private static let pathWords: Set<String> = [
    "", "v1.0", "v2.0", "beta", "oauth2", ".well-known", "openid-configuration", "token",
    "devicecode", "deviceauth", "authorize", "logout", "keys", "discovery", "instance", "common",
    "organizations", "consumers", "{tenantid}", "{tenant}", "me", "userinfo", "oidc", "srf",
  ]

  /// A segment of a path without its escapes.
  static func decoded(_ text: some StringProtocol) -> String {
    FormEncoding.parse("x=" + String(text).replacing("+", with: "%2B"))?.first?.value
      ?? String(text)
  }

  // MARK: Parameters

  /// A query or a form.
  mutating func parameters(_ text: String, isForm: Bool) -> String {
    guard let list = FormEncoding.parse(text) else { return standIn(text, .secret) }
    var result: [FormEncoding.Parameter] = []
    for (name, value) in list { result.append((name, parameter(name.lowercased(), value))) }
    // Graph's documentation writes "$" plain.
    return isForm
      ? FormEncoding.body(result) : FormEncoding.query(result).replacing("%24", with: "$")
  }

  private mutating func parameter(_ name: String, _ value: String) -> String {
    switch name {
    case "redirect_uri", "post_logout_redirect_uri": return standIn(value, .id)
    case "login_hint", "domain_hint", "username": return standIn(value, .name)
    case "scope", "resource": return scrub(value)
    case "client_id", "client-request-id", "correlation_id": return standIn(value, .id)
    case "id_token_hint", "id_token": return leaf(value, name)
    case "client_info" where value.utf8.count > 2: return leaf(value, name)
    case let name where name.hasPrefix("x-client"): return value
    case let name where Self.keptParameters.contains(name):
      return value.contains("'") ? standIn(value, .name) : value
    case "$filter", "$search", "$expand", "q": return standIn(value, .name)
    default: return standIn(value, .secret)
    }
  }

  private static let keptParameters: Set<String> = [
    "$count", "$format", "$orderby", "$select", "$skip", "$top", "api-version", "client_info",
    "code_challenge_method", "error", "grant_type", "haschrome", "instance_aware", "prompt",
    "response_mode", "response_type", "token_type", "ui_locales", "authorization_endpoint_type",
  ]

  // MARK: Bodies

  /// A body; nil when it is left out.
  mutating func body(_ data: Data, of type: String) -> String? {
    if data.isEmpty { return "" }
    if type.contains("x-www-form-urlencoded") {
      return String(validating: data, as: UTF8.self).map { parameters($0, isForm: true) }
    }
    guard type.isEmpty || type.contains("json"), let json = try? JSON(parsing: data) else {
      return nil
    }
    return self.json(json, "").compactText
  }

  /// A value of the member `name`.
  mutating func json(_ json: JSON, _ name: String) -> JSON {
    if let text = json.string { return .string(leaf(text, name)) }
    if let list = json.array {
      var result: [JSON] = []
      for item in list { result.append(self.json(item, name)) }
      return .array(result)
    }
    guard let members = json.object else { return json }
    let names = Set(members.map(\.name))
    let hasMessage = !names.isDisjoint(with: ["code", "user_code"])
    var result: [JSON.Member] = []
    for member in members where !["at_hash", "c_hash"].contains(member.name) {
      if name == "headers", let field = HTTPField.Name(member.name), let text = member.value.string
      {
        result.append(JSON.Member(member.name, .string(value(of: field, text))))
      } else if member.name == "message", hasMessage, let text = member.value.string {
        // What is known is replaced in it: its names come with the other members.
        for other in members where other.name != "message" {
          _ = self.json(other.value, other.name)
        }
        result.append(JSON.Member("message", .string(scrub(text))))
      } else {
        let isName =
          member.name.contains("@") && !member.name.contains("@odata.")
          && !member.name.contains("@microsoft.") && !member.name.hasPrefix("@")
        result.append(
          JSON.Member(
            isName ? standIn(member.name, .name) : member.name, self.json(member.value, member.name)
          ))
      }
    }
    return .object(result)
  }
}
