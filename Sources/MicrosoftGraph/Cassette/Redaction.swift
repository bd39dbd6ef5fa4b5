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
  /// The sizes of the values that begin with the same four bytes, the largest first.
  private var sizes: [UInt32: [Int]] = [:]
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
    var text = kind.rawValue + "-" + Self.digits(number, 5)
    if isGUID {
      text = Self.guidPrefix + Self.digits(number, 12)
    } else if kind == .host {
      text += ".example"
    } else if kind == .name, value.contains("@") {
      text += Self.mailEnd
    }
    standIns[key] = text
    noteSize(of: key)
    return text
  }

  /// A number with at least `count` digits.
  private static func digits(_ number: Int, _ count: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, count - digits.count)) + digits
  }

  /// Whether a text is a stand-in, and nothing else.
  static func isStandIn(_ text: some StringProtocol) -> Bool {
    if text.hasPrefix(guidPrefix) { return text.utf8.count == 36 }
    guard let kind = kinds.first(where: { text.hasPrefix($0) }) else { return false }
    let rest = text.dropFirst(kind.count)
    let number = rest.prefix { ("0"..."9").contains($0) }
    let end = rest.dropFirst(number.count)
    return (5...9).contains(number.count) && (end.isEmpty || ends.contains(String(end)))
  }

  /// Whether a text has a stand-in.
  static func hasStandIn(_ text: some StringProtocol) -> Bool {
    (kinds + [guidPrefix]).contains { text.contains($0) }
  }

  /// The stand-in that begins at `index`, as far as it goes; nil when none does.
  static func standIn(at index: Int, in bytes: [UInt8]) -> String? {
    let rest = bytes[index...]
    var count = guidPrefix.utf8.count + 12
    if !rest.starts(with: guidPrefix.utf8) {
      guard let kind = kinds.first(where: { rest.starts(with: $0.utf8) }) else { return nil }
      count = kind.utf8.count
      count += rest.dropFirst(count).prefix { "0123456789".utf8.contains($0) }.count
      let end = ends.first { rest.dropFirst(count).starts(with: $0.utf8) }
      count += end?.utf8.count ?? 0
    }
    return String(decoding: rest.prefix(count), as: UTF8.self)
  }

  private static let kinds = ["secret-", "name-", "id-", "host-"]
  private static let ends = [mailEnd, ".example"]

  // MARK: Known values

  /// Remembers the size of a value, unless it is so short that it is a part of many words.
  private mutating func noteSize(of value: String) {
    let (start, size) = (Self.start(of: value.utf8), value.utf8.count)
    guard size >= 4, sizes[start]?.contains(size) != true else { return }
    sizes[start, default: []].append(size)
    sizes[start]?.sort(by: >)
  }

  /// The first four bytes.
  private static func start(of bytes: some Sequence<UInt8>) -> UInt32 {
    bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// A text with stand-ins in place of the known values in it, whose number makes no difference to
  /// the time that it takes.
  private func replacingKnownValues(in text: String) -> String {
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if let (size, standIn) = knownValue(at: index, in: bytes) {
        result += standIn.utf8
        index += size
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// The longest known value that begins at `index`: a name can be a part of another one.
  private func knownValue(at index: Int, in bytes: [UInt8]) -> (size: Int, standIn: String)? {
    for size in sizes[Self.start(of: bytes[index...])] ?? [] where size <= bytes.count - index {
      let value = String(decoding: bytes[index..<(index + size)], as: UTF8.self)
      if let standIn = standIns[value] { return (size, standIn) }
    }
    return nil
  }

  // MARK: Text

  /// A text for people, without what is known, and without what looks like a name or a secret.
  mutating func scrub(_ text: String) -> String {
    var result = ""
    var word = ""
    for character in replacingKnownValues(in: text) {
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
    if word.contains("://") { return Self.isURL(word) ? url(word) : standIn(word, .secret) }
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
      let isPlain =
        isKnown && inner.allSatisfy { $0.isASCII && ($0.isLetter || "$/(),".contains($0)) }
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
    guard !Self.isKnownHost(text), !Self.isStandIn(text) else { return text }
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
    var message: (index: Int, text: String)?
    var result: [JSON.Member] = []
    for member in members where !["at_hash", "c_hash"].contains(member.name) {
      if name == "headers", let field = HTTPField.Name(member.name), let text = member.value.string
      {
        result.append(JSON.Member(member.name, .string(value(of: field, text))))
      } else if member.name == "message", hasMessage, let text = member.value.string {
        message = (result.count, text)
        result.append(member)
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
    // What is known is replaced in it: its names come with the other members.
    if let message { result[message.index].value = .string(scrub(message.text)) }
    return .object(result)
  }
}
