/// A JSON value that preserves the order of members and the text of numbers.
///
/// ``init(parsing:)`` is strict (RFC 8259): UTF-8 only, no duplicate names, nothing after the
/// value, at most ``maximumDepth`` levels. AuthCore parses every message with it, because two
/// parsers that interpret a token response differently can be exploited.
public enum JSON: Sendable, Equatable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number, as written.
  case number(String)
  /// A string.
  case string(String)
  /// An array.
  case array([JSON])
  /// An object, in the order of its members.
  case object([Member])

  /// A member of an object: a name and its value.
  public struct Member: Sendable, Equatable {
    /// The name.
    public var name: String
    /// The value.
    public var value: JSON

    /// Creates a member.
    public init(_ name: String, _ value: JSON) {
      self.name = name
      self.value = value
    }
  }

  /// The maximum depth of arrays and objects.
  public static let maximumDepth = 64

  /// The value of the member called `name`; nil when there is none or this is no object.
  public subscript(name: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  /// The member called `name`; nil also when it is `null`, which some services write for what they
  /// do not have.
  func optional(_ name: String) -> JSON? {
    let member = self[name]
    return member == .null ? nil : member
  }

  /// The text, when this is a string.
  public var string: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  /// The elements, when this is an array.
  public var array: [JSON]? {
    guard case .array(let elements) = self else { return nil }
    return elements
  }

  /// The members, when this is an object.
  public var object: [Member]? {
    guard case .object(let members) = self else { return nil }
    return members
  }

  /// The value, when this is a Boolean.
  public var bool: Bool? {
    guard case .bool(let value) = self else { return nil }
    return value
  }

  /// The integer, when this is one, or a string of digits, which Microsoft's servers also send.
  public var integer: Int? {
    switch self {
    case .number(let text), .string(let text): Int(text)
    default: nil
    }
  }

  /// The number, when this is one, or a string of one; infinite when it is too large.
  ///
  /// `3600`, `3600.0` and `"3600"` are the same number to most servers.
  package var number: Double? {
    switch self {
    case .number(let text): return Double(text)
    case .string(let text):
      // The grammar is JSON's: `Double` also reads "nan" and "0x1p3".
      guard case .number(let text)? = try? JSON(parsing: text.utf8) else { return nil }
      return Double(text)
    default: return nil
    }
  }
}

// MARK: - Writing

extension JSON {
  /// The value on one line, without whitespace.
  public var compactText: String {
    var text = ""
    write(to: &text, indent: nil, level: 0)
    return text
  }

  /// The value with one line for each member and element, indented by two spaces per level.
  public var prettyText: String {
    var text = ""
    write(to: &text, indent: "  ", level: 0)
    return text
  }

  private func write(to text: inout String, indent: String?, level: Int) {
    switch self {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .number(let value): text += value
    case .string(let value): Self.write(string: value, to: &text)
    case .array(let elements):
      Self.writeList(elements, "[", "]", to: &text, indent: indent, level: level) {
        $0.write(to: &$1, indent: indent, level: level + 1)
      }
    case .object(let members):
      Self.writeList(members, "{", "}", to: &text, indent: indent, level: level) {
        Self.write(string: $0.name, to: &$1)
        $1 += indent == nil ? ":" : ": "
        $0.value.write(to: &$1, indent: indent, level: level + 1)
      }
    }
  }

  private static func writeList<Element>(
    _ elements: [Element], _ open: String, _ close: String, to text: inout String,
    indent: String?, level: Int, _ write: (Element, inout String) -> Void
  ) {
    text += open
    for (index, element) in elements.enumerated() {
      if index > 0 { text += "," }
      if let indent { text += "\n" + String(repeating: indent, count: level + 1) }
      write(element, &text)
    }
    if let indent, !elements.isEmpty { text += "\n" + String(repeating: indent, count: level) }
    text += close
  }

  private static func write(string: String, to text: inout String) {
    text += "\""
    defer { text += "\"" }
    // Nearly all texts, tokens in particular, need no escapes. Tokens are long, so compare bytes.
    var bytes = string
    let isItself = bytes.withUTF8 {
      $0.allSatisfy {
        $0 >= 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
      }
    }
    if isItself {
      text += string
      return
    }
    for scalar in string.unicodeScalars { write(scalar, to: &text) }
  }

  /// Writes a character of a string so that it is visible and one line.
  package static func write(_ scalar: Unicode.Scalar, to text: inout String) {
    switch scalar {
    case "\"": text += "\\\""
    case "\\": text += "\\\\"
    case "\n": text += "\\n"
    case "\r": text += "\\r"
    case "\t": text += "\\t"
    case _ where scalar.isPlain: text.unicodeScalars.append(scalar)
    default:
      // Characters that a terminal or a log would interpret instead of showing.
      for unit in String(scalar).utf16 {
        let hex = String(unit, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
      }
    }
  }
}
