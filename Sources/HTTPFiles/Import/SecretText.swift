import AuthCore
import CurlHTTP

/// Replaces secrets in addresses, bodies and values by variables without a value.
///
/// It looks for names such as `access_token` and `client_secret` with a value after them, whether in
/// a query, a form, JSON or XML, and for tokens that are recognized by their form.
struct SecretText {
  /// The names of the variables.
  private(set) var found: [String] = []

  /// The text with `{{name}}` in place of each secret.
  mutating func scrubbed(_ text: String) -> String {
    String(decoding: scrubbed(Array(text.utf8), isDecoded: false), as: UTF8.self)
  }

  /// Whether a value of this name is a secret.
  static func isSecret(_ name: String) -> Bool {
    let name = normalized(Array(name.utf8))
    return secrets.contains(name)
      || endings.contains { name.hasSuffix($0) } && !harmless.contains { name.hasSuffix($0) }
  }

  /// Whether the value of a header field of this name is a secret.
  static func isSecret(fieldNamed name: String) -> Bool {
    let lower = name.lowercased()
    return lower.contains("authorization") || lower.contains("cookie") || isSecret(lower)
  }

  private static let secrets: Set<String> = [
    "assertion", "clientassertion", "codeverifier", "devicecode", "passwd", "pwd", "samlresponse",
    "secrettext", "tempauth",
  ]
  /// What names of secrets end in; `key` alone is also what many names of IDs end in.
  private static let endings = [
    "token", "secret", "password", "accesskey", "accountkey", "adminkey", "apikey", "authkey",
    "functionkey", "functionskey", "hostkey", "masterkey", "privatekey", "saskey", "secretkey",
    "sharedkey", "subscriptionkey", "zumoauth",
  ]
  /// Tokens that say where a list continues.
  private static let harmless = ["skiptoken", "deltatoken", "pagetoken", "continuationtoken"]
  /// What is secret only as a parameter.
  private static let parameters: Set<String> = ["code", "key", "sig"]

  /// A name without what programs write differently.
  private static func normalized(_ bytes: some Sequence<UInt8>) -> String {
    String(decoding: bytes.filter(\.isAlphanumeric).map(\.lowercased), as: UTF8.self)
  }

  private mutating func scrubbed(_ bytes: [UInt8], isDecoded: Bool) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      guard Self.isName(bytes[index]) else {
        result.append(bytes[index])
        index += 1
        continue
      }
      let start = index
      while index < bytes.count, Self.isName(bytes[index]) { index += 1 }
      let name = bytes[start..<index]
      if Self.isToken(name) {
        result += variable("token")
        continue
      }
      if !isDecoded, name.contains(UInt8(ascii: "%")), let secret = encodedSecret(name) {
        while index < bytes.count, !Self.ends(bytes[index]) { index += 1 }
        result += variable(secret)
        continue
      }
      result += name
      guard let value = Self.value(of: Self.decoded(name), at: index, in: bytes) else { continue }
      result += bytes[index..<value.lowerBound]
      result += variable(String(decoding: Self.decoded(name), as: UTF8.self))
      index = value.upperBound
    }
    return result
  }

  private mutating func variable(_ name: String) -> [UInt8] {
    let plain = name.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
    if !found.contains(plain), found.count < 20 { found.append(plain) }
    return Array("{{\(plain)}}".utf8)
  }

  /// The name of a secret that is in a percent-encoded value.
  private func encodedSecret(_ name: ArraySlice<UInt8>) -> String? {
    var other = SecretText()
    _ = other.scrubbed(Self.decoded(name), isDecoded: true)
    return other.found.first
  }

  /// Where the secret after a name is; nil when the name has none.
  private static func value(
    of name: [UInt8], at index: Int, in bytes: [UInt8]
  ) -> Range<Int>? {
    let isParameter = parameters.contains(normalized(name))
    guard isParameter || isSecret(String(decoding: name, as: UTF8.self)) else { return nil }
    var start = index
    func skip(_ set: [UInt8], most: Int = .max) {
      let first = start
      while start < bytes.count, start - first < most, set.contains(bytes[start]) { start += 1 }
    }
    skip([UInt8(ascii: "\\")])
    skip(quotes, most: 1)
    skip(blanks)
    guard start < bytes.count, separators.contains(bytes[start]) else { return nil }
    let separator = bytes[start]
    guard !isParameter || separator == UInt8(ascii: "=") else { return nil }
    start += 1
    if separator == UInt8(ascii: ":") { skip(blanks) }
    let beforeQuote = start
    skip([UInt8(ascii: "\\")])
    let isEscaped = start > beforeQuote
    let quote = start < bytes.count && quotes.contains(bytes[start]) ? bytes[start] : nil
    start = quote == nil ? beforeQuote : start + 1
    // A list, an object or a variable. Its end is not looked for: there may be many without one.
    guard start < bytes.count, !openings.contains(bytes[start]) else { return nil }
    var end = start
    if let quote {
      while end < bytes.count, bytes[end] != quote {
        if bytes[end] == UInt8(ascii: "\\") {
          if isEscaped { break }
          end += 1
        }
        end += 1
      }
      end = min(end, bytes.count)
    } else {
      let isElement = separator == UInt8(ascii: ">")
      while end < bytes.count, isElement ? bytes[end] != UInt8(ascii: "<") : !ends(bytes[end]) {
        end += 1
      }
    }
    let value = bytes[start..<end]
    let isPlain = value.isEmpty || words.contains(String(decoding: value, as: UTF8.self))
    return isPlain ? nil : start..<end
  }

  private static let openings = Array("{[".utf8)
  private static let quotes = Array("\"'".utf8)
  private static let blanks = Array(" \t\r\n".utf8)
  private static let separators = Array(":=>".utf8)
  private static let words: Set<String> = ["null", "true", "false"]

  private static func ends(_ byte: UInt8) -> Bool {
    "&,;<>\"' \t\r\n})]".utf8.contains(byte)
  }

  private static func isName(_ byte: UInt8) -> Bool {
    byte.isAlphanumeric || "_-.%$".utf8.contains(byte)
  }

  /// Whether it is a signed or encrypted token (RFC 7519), which begins with `{"`.
  private static func isToken(_ name: ArraySlice<UInt8>) -> Bool {
    name.count >= 30 && name.starts(with: "eyJ".utf8) && name.contains(UInt8(ascii: "."))
  }

  private static func decoded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    FormEncoding.lenientlyDecoded(Array(bytes))
  }
}

extension HTTPFile.Field {
  /// Whether it is a secret or has one in it, as far as its name and the form of its value tell.
  public var isSecret: Bool {
    var secrets = SecretText()
    _ = secrets.scrubbed(value)
    return SecretText.isSecret(fieldNamed: name) || !secrets.found.isEmpty
  }
}
