/// The segments of a path of Microsoft Graph, decoded.
///
/// Keys in parentheses are segments of their own: `users('1')` is `users/1`. A path of files,
/// between colons, is one segment with the names separated by slashes.
enum GraphPathSegments {
  enum Segment: Equatable {
    case name(String)
    /// `:/a/b:`
    case filePath([String])
    /// `search(q='a')`, with what is in the parentheses.
    case function(String, String)
  }

  static func parse(_ path: some StringProtocol) throws(GraphError) -> [Segment] {
    var result: [Segment] = []
    var rest = path.split(separator: "/").flatMap { separated(Substring($0)) }[...]
    while let raw = rest.popFirst() {
      guard raw.last == ":" else {
        result += try segment(decode(raw))
        continue
      }
      let name = decode(raw.dropLast())
      if !name.isEmpty { result.append(.name(name)) }
      var names: [String] = []
      while let part = rest.popFirst() {
        let isLast = part.last == ":"
        names.append(decode(isLast ? part.dropLast() : part[...]))
        if isLast { break }
      }
      result.append(.filePath(names.filter { !$0.isEmpty }))
    }
    return result
  }

  /// A segment, or the segments of a path of files whose colons and slashes are encoded: Graph's SDKs
  /// take `root:/a/b:` for an ID.
  private static func separated(_ raw: Substring) -> [Substring] {
    var plain = String(raw)
    for code in ["%3A", "%3a"] { plain = plain.replacing(code, with: ":") }
    for code in ["%2F", "%2f"] { plain = plain.replacing(code, with: "/") }
    return plain.contains(":/") ? plain.split(separator: "/") : [raw]
  }

  private static func segment(_ text: String) throws(GraphError) -> [Segment] {
    guard text.hasSuffix(")"), let start = text.firstIndex(of: "(") else { return [.name(text)] }
    let name = text[..<start].split(separator: ".").last.map(String.init) ?? ""
    let inner = String(text[text.index(after: start)...].dropLast())
    if inner.isEmpty { return [.name(name)] }
    if inner.first == "'", inner.last == "'", inner.count >= 2 {
      return [.name(name), .name(unquoted(inner))]
    }
    return [.function(name, inner)]
  }

  /// The value of a parameter: `q='a'`.
  static func value(of inner: String) -> String {
    unquoted(inner.split(separator: "=", maxSplits: 1).last.map(String.init) ?? "")
  }

  private static func unquoted(_ text: String) -> String {
    guard text.count >= 2, text.first == "'", text.last == "'" else { return text }
    return String(text.dropFirst().dropLast()).replacing("''", with: "'")
  }

  /// Decodes a segment; a plus sign of a path is one, other than that of a form.
  private static func decode(_ text: some StringProtocol) -> String {
    Form(encoded: "x=" + String(text).replacing("+", with: "%2B").replacing("&", with: "%26"))["x"]
      ?? ""
  }
}
