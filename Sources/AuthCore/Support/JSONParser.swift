import CurlHTTP
import Sentences

extension JSON {
  /// Parses the JSON value in `bytes`.
  ///
  /// - Throws: ``JSONError`` with the position of the first error.
  public init(parsing bytes: some Sequence<UInt8>) throws(JSONError) {
    var parser = JSONParser(bytes: Array(bytes), allowsComments: false)
    self = try parser.parse()
  }

  /// Reads a file that a person edits by hand: `//` comments up to the end of a line are skipped, and
  /// so is a byte order mark, as programs on Windows write one (RFC 8259, section 8.1).
  ///
  /// - Returns: the value, and the place of each value in it by its path: `connections[0].name`.
  /// - Throws: ``JSONError`` with the place of the first fault.
  package static func parseEditable(
    _ bytes: [UInt8]
  ) throws(JSONError) -> (value: JSON, places: [String: JSONPlace]) {
    var parser = JSONParser(bytes: bytes, allowsComments: true)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { parser.position = 3 }
    let value = try parser.parse()
    return (value, parser.places)
  }
}

extension JSON {
  /// Reads the escape sequence of a string whose backslash is at `start`.
  ///
  /// - Returns: the character, and where the sequence ends.
  package static func unescape(
    _ bytes: Span<UInt8>, at start: Int
  ) throws(JSONError) -> (scalar: Unicode.Scalar, end: Int) {
    let place = start + 1
    guard place < bytes.count else {
      throw JSONError(at: start, in: bytes, Sentence("a string has no end"))
    }
    switch bytes[place] {
    case UInt8(ascii: "\""): return ("\"", place + 1)
    case UInt8(ascii: "\\"): return ("\\", place + 1)
    case UInt8(ascii: "/"): return ("/", place + 1)
    case UInt8(ascii: "b"): return ("\u{8}", place + 1)
    case UInt8(ascii: "f"): return ("\u{c}", place + 1)
    case UInt8(ascii: "n"): return ("\n", place + 1)
    case UInt8(ascii: "r"): return ("\r", place + 1)
    case UInt8(ascii: "t"): return ("\t", place + 1)
    case UInt8(ascii: "u"): return try unescapeUnits(bytes, at: place + 1)
    default: throw JSONError(at: place, in: bytes, Sentence("an unknown escape sequence"))
    }
  }

  /// Reads the hex digits at `start`, and those of the other half of a surrogate pair.
  private static func unescapeUnits(
    _ bytes: Span<UInt8>, at start: Int
  ) throws(JSONError) -> (scalar: Unicode.Scalar, end: Int) {
    var end = start + 4
    var code = try hexUnit(bytes, at: start)
    if 0xD800..<0xDC00 ~= code, end + 1 < bytes.count,
      bytes[end] == UInt8(ascii: "\\"), bytes[end + 1] == UInt8(ascii: "u")
    {
      let low = try hexUnit(bytes, at: end + 2)
      end += 6
      // Before any other unit, it is half a pair, which is no character.
      if 0xDC00..<0xE000 ~= low { code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00) }
    }
    guard let scalar = Unicode.Scalar(code) else {
      throw JSONError(at: end, in: bytes, Sentence("an incomplete surrogate pair"))
    }
    return (scalar, end)
  }

  private static func hexUnit(_ bytes: Span<UInt8>, at start: Int) throws(JSONError) -> UInt32 {
    var unit: UInt32 = 0
    for place in start..<start + 4 {
      guard place < bytes.count, let digit = bytes[place].hexValue else {
        throw JSONError(
          at: start, in: bytes, Sentence("an escape sequence needs four hex digits"))
      }
      unit = unit << 4 | UInt32(digit)
    }
    return unit
  }
}

/// Where a value stands in a text.
package struct JSONPlace: Sendable, Equatable {
  /// The line, counted from 1.
  package var line: Int
  /// The bytes of the value, and those of its name if it has one.
  package var bytes: Range<Int>
  /// The bytes of the value alone.
  package var value: Range<Int>
}

/// A recursive-descent parser for RFC 8259.
private struct JSONParser {
  let bytes: [UInt8]
  let allowsComments: Bool
  var position = 0
  /// The place of each value by its path; recorded only for configuration files.
  var places: [String: JSONPlace] = [:]
  /// The line of ``position``, counted from 1: only whitespace and comments contain line breaks.
  var line = 1
  /// The longest path whose place is recorded; the paths that programs look up are far shorter.
  private static let longestPath = 200

  mutating func parse() throws(JSONError) -> JSON {
    guard bytes.allSatisfy({ $0 < 0x80 }) || String(validating: bytes, as: UTF8.self) != nil else {
      throw failure(Sentence("the text is not UTF-8"))
    }
    let value = try value(depth: 0, path: allowsComments ? "" : nil)
    skipBlanks()
    guard position == bytes.count else {
      throw failure(Sentence("there is unexpected text after the value"))
    }
    return value
  }

  /// - Parameters:
  ///   - path: The value's path; nil when its place is not recorded.
  ///   - start: the first byte of its name; nil when it has none.
  private mutating func value(
    depth: Int, path: String?, from start: Int? = nil
  ) throws(JSONError) -> JSON {
    guard depth < JSON.maximumDepth else { throw failure(Sentence("it is nested too deeply")) }
    skipBlanks()
    guard position < bytes.count else { throw failure(Sentence("a value is missing")) }
    let (first, firstLine) = (position, line)
    let value = try bareValue(depth: depth, path: path)
    if let path {
      places[path] = JSONPlace(
        line: firstLine, bytes: (start ?? first)..<position, value: first..<position)
    }
    return value
  }

  private mutating func bareValue(depth: Int, path: String?) throws(JSONError) -> JSON {
    switch bytes[position] {
    case UInt8(ascii: "{"): return .object(try members(depth: depth, path: path))
    case UInt8(ascii: "["): return .array(try elements(depth: depth, path: path))
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try literal("true", .bool(true))
    case UInt8(ascii: "f"): return try literal("false", .bool(false))
    case UInt8(ascii: "n"): return try literal("null", .null)
    default: return .number(try number())
    }
  }

  private mutating func members(depth: Int, path: String?) throws(JSONError) -> [JSON.Member] {
    var members: [JSON.Member] = []
    var names: Set<String> = []
    position += 1
    if accept("}") { return members }
    repeat {
      skipBlanks()
      guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else {
        throw failure(Sentence("a name in quotes is missing"))
      }
      let start = position
      let name = try string()
      guard names.insert(name).inserted else {
        position = start
        throw failure(Sentence("the name “{name}” is used twice", ["name": name]))
      }
      guard accept(":") else { throw failure(Sentence("a colon is missing")) }
      let place = short(path.map { $0.isEmpty ? name : "\($0).\(name)" })
      members.append(JSON.Member(name, try value(depth: depth + 1, path: place, from: start)))
    } while accept(",")
    guard accept("}") else { throw failure(Sentence("a comma or “}” is missing")) }
    return members
  }

  private mutating func elements(depth: Int, path: String?) throws(JSONError) -> [JSON] {
    var elements: [JSON] = []
    position += 1
    if accept("]") { return elements }
    repeat {
      let place = short(path.map { "\($0)[\(elements.count)]" })
      elements.append(try value(depth: depth + 1, path: place))
    } while accept(",")
    guard accept("]") else { throw failure(Sentence("a comma or “]” is missing")) }
    return elements
  }

  /// `path`, unless it is too long: each nested path would be a longer copy.
  private func short(_ path: String?) -> String? {
    path.flatMap { $0.utf8.count <= Self.longestPath ? $0 : nil }
  }

  private mutating func string() throws(JSONError) -> String {
    position += 1
    let end = bytes[position...].firstIndex {
      $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\")
    }
    var text = Array(bytes[position..<(end ?? position)])
    position = end ?? position
    while position < bytes.count {
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: "\""):
        let string = String(decoding: text, as: UTF8.self)
        guard !string.hasTooManyAccents else {
          throw failure(Sentence("a letter has too many accents"))
        }
        position += 1
        return string
      case UInt8(ascii: "\\"):
        let (scalar, end) = try JSON.unescape(bytes.span, at: position)
        text.append(contentsOf: scalar.utf8)
        position = end
      case 0..<0x20:
        throw failure(Sentence("a string contains a control character"))
      default:
        text.append(byte)
        position += 1
      }
    }
    throw failure(Sentence("a string has no end"))
  }

  private mutating func number() throws(JSONError) -> String {
    let start = position
    _ = acceptByte("-")
    if acceptByte("0") {
      // No digit may follow a leading zero.
    } else if digits() == 0 {
      throw failure(Sentence("a value is missing"))
    }
    if acceptByte("."), digits() == 0 {
      throw failure(Sentence("digits are missing after the decimal point"))
    }
    if acceptByte("e") || acceptByte("E") {
      if !acceptByte("+") { _ = acceptByte("-") }
      if digits() == 0 { throw failure(Sentence("digits are missing in the exponent")) }
    }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private mutating func digits() -> Int {
    let start = position
    while position < bytes.count, bytes[position].isDigit { position += 1 }
    return position - start
  }

  private mutating func literal(_ text: String, _ value: JSON) throws(JSONError) -> JSON {
    guard bytes[position...].starts(with: text.utf8) else {
      throw failure(Sentence("a value is missing"))
    }
    position += text.utf8.count
    return value
  }

  /// Skips whitespace, and consumes `character` if it comes next.
  private mutating func accept(_ character: Unicode.Scalar) -> Bool {
    skipBlanks()
    return acceptByte(character)
  }

  private mutating func acceptByte(_ character: Unicode.Scalar) -> Bool {
    guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func skipBlanks() {
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r") {
        position += 1
      } else if byte == UInt8(ascii: "\n") {
        line += 1
        position += 1
      } else if allowsComments, bytes[position...].starts(with: "//".utf8) {
        position = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      } else {
        return
      }
    }
  }

  private func failure(_ reason: Sentence) -> JSONError {
    JSONError(at: position, in: bytes.span, reason)
  }
}
