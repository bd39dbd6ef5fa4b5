import Glibc
import Sentences

/// Finds the members of JSON objects without reading what is in them.
///
/// A cache of thousands of accounts is split this way, and written again, many times faster than it could
/// be read. It looks at brackets, commas and quotes alone; whoever uses a value reads it with ``JSON``,
/// which is strict. A comma behind the last member is passed over, as MSAL.NET does, and noted.
struct JSONScanner {
  private let bytes: UnsafeBufferPointer<UInt8>
  private(set) var position: Int
  /// Whether a comma stood behind a last member or element, so that the text is not JSON.
  private(set) var hasTrailingCommas = false

  /// Starts at the beginning of `bytes`, behind a byte order mark.
  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
    position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  /// Whether nothing but blanks is left.
  mutating func isAtEnd() -> Bool { peek() == nil }

  /// Where the value that comes next begins.
  mutating func startOfValue() -> Int {
    _ = peek()
    return position
  }

  /// Goes into the object that comes next; false when it is another value.
  mutating func enterObject() -> Bool {
    guard peek() == UInt8(ascii: "{") else { return false }
    position += 1
    return true
  }

  /// The name of the next member with its quotes, and goes to its value; nil behind the last one, when the
  /// object is left.
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

  /// Goes behind the comma that follows a value, if one does.
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

  /// Goes behind the value that comes next, in an object or array, and the comma that follows it.
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

  /// What is wrong, and where.
  func failure(_ reason: Sentence) -> JSONError {
    let before = bytes[..<min(position, bytes.count)]
    let line = before.count { $0 == UInt8(ascii: "\n") } + 1
    let column = before.count - (before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0) + 1
    return JSONError(line: line, column: column, reason: reason)
  }

  /// Goes behind the string that begins here.
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

  /// The next byte that is no blank.
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

  /// Whether `byte` can stand in a number, `true`, `false` or `null`.
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
  /// JSON without the commas behind last members and elements.
  var withoutTrailingCommas: [UInt8] {
    var text: [UInt8] = []
    var isInString = false
    var isEscaped = false
    /// Where the comma is that nothing but blanks has followed so far.
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
