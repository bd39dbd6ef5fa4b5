import CurlHTTP

/// Parses a list of challenges, in which commas separate both challenges and parameters.
///
///     Newauth realm="apps", type=1, Basic realm="simple"
///
/// A name followed by `=` is a parameter; any other starts the next challenge.
struct AuthenticationChallengeParser {
  private let bytes: [UInt8]
  private var position = 0

  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The challenges; nil when the text is malformed.
  mutating func challenges() -> [AuthenticationChallenge]? {
    var challenges: [AuthenticationChallenge] = []
    var isFirst = true
    while true {
      let isParted = skipCommas() || isFirst
      guard position < bytes.count else { return challenges }
      guard isParted, let scheme = token() else { return nil }
      isFirst = false
      var challenge = AuthenticationChallenge(scheme: scheme)
      let spaces = skip { $0 == UInt8(ascii: " ") }
      if spaces > 0, let token = token68() {
        challenge.token68 = token
      } else {
        guard let parameters = parameters(isFirstParted: spaces > 0) else { return nil }
        var names: Set<String> = []
        guard parameters.allSatisfy({ names.insert($0.name).inserted }) else { continue }
        challenge.parameters = Dictionary(parameters.map { ($0.name, $0.value) }) { $1 }
      }
      challenges.append(challenge)
    }
  }

  // MARK: - Parts

  /// The parameters up to the next scheme; nil when one is malformed.
  private mutating func parameters(isFirstParted: Bool) -> [(name: String, value: String)]? {
    var parameters: [(name: String, value: String)] = []
    var isParted = isFirstParted
    while true {
      let start = position
      isParted = skipCommas() || isParted
      guard let name = token(), skipBlanks(), take(UInt8(ascii: "=")) else {
        position = start
        return parameters
      }
      guard isParted, skipBlanks(), let value = quotedString() ?? token() else { return nil }
      parameters.append((name.lowercased(), value))
      isParted = false
    }
  }

  /// A token68: letters, digits and some signs up to the next comma; nil when there is none.
  private mutating func token68() -> String? {
    let start = position
    let length = skip { $0.isAlphanumeric || "-._~+/".utf8.contains($0) }
    skip { $0 == UInt8(ascii: "=") }
    let end = position
    skip(\.isBlank)
    guard length > 0, position == bytes.count || bytes[position] == UInt8(ascii: ",") else {
      position = start
      return nil
    }
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }

  private mutating func token() -> String? {
    let start = position
    let length = skip { $0.isAlphanumeric || "!#$%&'*+-.^_`|~".utf8.contains($0) }
    return length == 0 ? nil : String(decoding: bytes[start..<position], as: UTF8.self)
  }

  /// The text between quotation marks, in which `\` escapes the next character.
  private mutating func quotedString() -> String? {
    let start = position
    guard take(UInt8(ascii: "\"")) else { return nil }
    var text: [UInt8] = []
    while position < bytes.count {
      var byte = bytes[position]
      position += 1
      if byte == UInt8(ascii: "\"") { return String(validating: text, as: UTF8.self) }
      if byte == UInt8(ascii: "\\") {
        guard position < bytes.count else { break }
        byte = bytes[position]
        position += 1
      }
      guard byte == UInt8(ascii: "\t") || (byte >= 0x20 && byte != 0x7f) else { break }
      text.append(byte)
    }
    position = start
    return nil
  }

  // MARK: - Bytes

  /// Skips commas and the whitespace around them; returns whether there was a comma.
  private mutating func skipCommas() -> Bool {
    let start = position
    skip { $0.isBlank || $0 == UInt8(ascii: ",") }
    return bytes[start..<position].contains(UInt8(ascii: ","))
  }

  private mutating func skipBlanks() -> Bool {
    skip(\.isBlank)
    return true
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard position < bytes.count, bytes[position] == byte else { return false }
    position += 1
    return true
  }

  @discardableResult
  private mutating func skip(_ belongs: (UInt8) -> Bool) -> Int {
    let start = position
    while position < bytes.count, belongs(bytes[position]) { position += 1 }
    return position - start
  }
}
