import Glibc
import Sentences

/// Finds the members of JSON objects without parsing their values.
///
/// Splitting and writing a cache of thousands of accounts this way is many times faster than
/// parsing it. The scanner examines only brackets, commas and quotation marks; values are parsed
/// with ``JSON``, which is strict. A trailing comma is accepted, as in MSAL.NET, and recorded.
struct JSONScanner {
  private let bytes: UnsafeBufferPointer<UInt8>
  private(set) var position: Int
  /// Whether there was a trailing comma, so that the text is not valid JSON.
  private(set) var hasTrailingCommas = false

  /// Starts at the beginning of `bytes`, after a byte order mark.
  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
    position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  /// Whether only whitespace is left.
  mutating func isAtEnd() -> Bool { peek() == nil }

  /// The position of the next value.
  mutating func startOfValue() -> Int {
    _ = peek()
    return position
  }

  /// Enters the next object; returns false when it is another value.
  mutating func enterObject() -> Bool {
    guard peek() == UInt8(ascii: "{") else { return false }
    position += 1
    return true
  }

  /// The name of the next member with its quotation marks, positioned at its value; nil at the end
  /// of the object, which is left.
  mutating func nextName() throws(JSONError) -> Range<Int>? {
    switch peek() {
    case UInt8(ascii: "}"):
      position += 1
      return nil
    case UInt8(ascii: "\""):
      let name = try string()
      guard peek() == UInt8(ascii: ":") else { throw failure(Sentence("a colon is missing")) }
      position += 1
      return name
    default: throw failure(Sentence("a name in quotes is missing"))
    }
  }

  /// Skips the comma after a value, if there is one.
  mutating func endValue() throws(JSONError) {
    switch peek() {
    case UInt8(ascii: ","):
      position += 1
      let next = peek()
      if next == UInt8(ascii: "}") || next == UInt8(ascii: "]") { hasTrailingCommas = true }
    case UInt8(ascii: "}"), UInt8(ascii: "]"): break
    default: throw failure(Sentence("a comma or the end of an object is missing"))
    }
  }

  /// Skips the next value in an object or array, and the comma after it.
  mutating func skipValue(depth: Int = 0) throws(JSONError) -> Range<Int> {
    guard depth < JSON.maximumDepth else { throw failure(Sentence("it is nested too deeply")) }
    let first = peek()
    let start = position
    switch first {
    case UInt8(ascii: "\""): _ = try string()
    case UInt8(ascii: "{"):
      position += 1
      while try nextName() != nil { _ = try skipValue(depth: depth + 1) }
    case UInt8(ascii: "["):
      position += 1
      while peek() != UInt8(ascii: "]") { _ = try skipValue(depth: depth + 1) }
      position += 1
    default:
      while position < bytes.count, Self.isPartOfWord(bytes[position]) { position += 1 }
      guard position > start else { throw failure(Sentence("a value is missing")) }
    }
    let end = position
    try endValue()
    return start..<end
  }

  /// The error at the current position.
  func failure(_ reason: Sentence) -> JSONError {
    let before = bytes[..<min(position, bytes.count)]
    let line = before.count { $0 == UInt8(ascii: "\n") } + 1
    let column = before.count - (before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0) + 1
    return JSONError(line: line, column: column, reason: reason)
  }

  /// Skips the string that begins here.
  private mutating func string() throws(JSONError) -> Range<Int> {
    let start = position
    var next = start + 1
    while let base = bytes.baseAddress, next < bytes.count,
      let quote = memchr(base + next, Int32(UInt8(ascii: "\"")), bytes.count - next)
    {
      let end = UnsafePointer(quote.assumingMemoryBound(to: UInt8.self)) - base
      var backslashes = 0
      while bytes[end - 1 - backslashes] == UInt8(ascii: "\\") { backslashes += 1 }
      if backslashes.isMultiple(of: 2) {
        position = end + 1
        return start..<position
      }
      next = end + 1
    }
    throw failure(Sentence("a string has no end"))
  }

  /// The next byte that is not whitespace.
  @inline(__always)
  private mutating func peek() -> UInt8? {
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"):
        position += 1
      case let byte: return byte
      }
    }
    return nil
  }

  /// Whether `byte` can be part of a number, `true`, `false` or `null`.
  private static func isPartOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "E"):
      true
    default: false
    }
  }
}

extension ArraySlice<UInt8> {
  /// The JSON without trailing commas.
  var withoutTrailingCommas: [UInt8] {
    var text: [UInt8] = []
    var isInString = false
    var isEscaped = false
    /// The position of the last comma, if only whitespace has followed it.
    var comma: Int?
    for byte in self {
      switch byte {
      case _ where isEscaped: isEscaped = false
      case UInt8(ascii: "\\"): isEscaped = isInString
      case UInt8(ascii: "\""): isInString.toggle()
      case UInt8(ascii: "}") where !isInString, UInt8(ascii: "]") where !isInString:
        if let comma { text.remove(at: comma) }
      default: break
      }
      if !isInString, byte == UInt8(ascii: ",") {
        comma = text.count
      } else if byte > 0x20 {
        comma = nil
      }
      text.append(byte)
    }
    return text
  }
}
