import Glibc
import Sentences

/// Parses the text of a token cache in MSAL's unified schema.
///
/// The structure must be sound, so that no cache is read in part. A trailing comma is accepted, as
/// in MSAL.NET. An entry with another fault, such as an unknown escape sequence, has no value, and
/// does not affect the others.
struct UnifiedCacheParser {
  private let text: [UInt8]
  /// The bytes of ``text``.
  private let bytes: UnsafeBufferPointer<UInt8>
  private var position: Int
  /// Whether there was a trailing comma, so that the text is not valid JSON.
  private(set) var hasTrailingCommas = false
  /// Whether the values since the start of the entry are valid; an invalid one is read as null.
  private var isValid = true

  init(_ text: [UInt8], _ bytes: UnsafeBufferPointer<UInt8>) {
    self.text = text
    self.bytes = bytes
    position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  /// Calls `found` with each entry and its account.
  mutating func parse(_ found: (UnifiedCache.Entry, AccountKey?) -> Void) throws(JSONError) {
    guard next() != nil else { return }
    guard next() == UInt8(ascii: "{") else { throw failure(Sentence("it is not a JSON object")) }
    var (hasSection, hasOthers) = (false, false)
    try members { (parser, key) throws(JSONError) in
      let name = parser.string(key).string
      if let section = UnifiedCache.Section.allCases.first(where: { $0.rawValue == name }) {
        hasSection = true
        try parser.parse(section, found)
      } else {
        hasOthers = true
        found(try parser.entry(key, in: nil).entry, nil)
      }
    }
    guard next() == nil else {
      throw failure(Sentence("there is unexpected text after the object"))
    }
    // Other JSON, such as a settings file, must not be accepted as an empty cache.
    guard hasSection || !hasOthers else {
      throw failure(Sentence("it has no section of a token cache, such as “Account”"))
    }
  }

  private mutating func parse(
    _ section: UnifiedCache.Section, _ found: (UnifiedCache.Entry, AccountKey?) -> Void
  ) throws(JSONError) {
    guard next() == UInt8(ascii: "{") else {
      throw failure(Sentence("“{name}” is not an object", ["name": section.rawValue]))
    }
    try members { (parser, key) throws(JSONError) in
      let (entry, value) = try parser.entry(key, in: section)
      found(entry, AccountKey(ofEntry: value))
    }
  }

  /// Reads the entry with `key`, and its value even if some of it is invalid.
  private mutating func entry(
    _ key: Range<Int>, in section: UnifiedCache.Section?
  ) throws(JSONError) -> (entry: UnifiedCache.Entry, value: JSON) {
    isValid = true
    let value = try value(depth: 0)
    let entry = UnifiedCache.Entry(
      key: text[key], text: text[key.lowerBound..<position], value: isValid ? value : nil,
      section: section, clientID: value["client_id"]?.string)
    return (entry, value)
  }

  // MARK: - JSON

  /// Reads the object that begins here: `read` is called at each value, with the range of its name.
  private mutating func members(
    _ read: (inout Self, Range<Int>) throws(JSONError) -> Void
  ) throws(JSONError) {
    position += 1
    while next() != UInt8(ascii: "}") {
      guard next() == UInt8(ascii: "\"") else {
        throw failure(Sentence("a name in quotes is missing"))
      }
      let name = try skipString()
      guard next() == UInt8(ascii: ":") else { throw failure(Sentence("a colon is missing")) }
      position += 1
      try read(&self, name)
      try endValue()
    }
    position += 1
  }

  private mutating func value(depth: Int) throws(JSONError) -> JSON {
    guard depth < JSON.maximumDepth else { throw failure(Sentence("it is nested too deeply")) }
    switch next() {
    case UInt8(ascii: "\""): return string(try skipString())
    case UInt8(ascii: "{"): return .object(try object(depth: depth))
    case UInt8(ascii: "["): return .array(try array(depth: depth))
    default: return try word()
    }
  }

  /// How many names are compared with each other; of more, a set is made.
  private static let few = 32

  private mutating func object(depth: Int) throws(JSONError) -> [JSON.Member] {
    var found: [JSON.Member] = []
    found.reserveCapacity(12)
    try members { (parser, name) throws(JSONError) in
      let name = parser.string(name).string ?? ""
      if found.count < Self.few, found.contains(where: { $0.name == name }) {
        parser.isValid = false
      }
      found.append(JSON.Member(name, try parser.value(depth: depth + 1)))
    }
    if found.count > Self.few, Set(found.map(\.name)).count < found.count { isValid = false }
    return found
  }

  private mutating func array(depth: Int) throws(JSONError) -> [JSON] {
    var found: [JSON] = []
    position += 1
    while next() != UInt8(ascii: "]") {
      found.append(try value(depth: depth + 1))
      try endValue()
    }
    position += 1
    return found
  }

  /// Reads a number, `true`, `false` or `null`.
  private mutating func word() throws(JSONError) -> JSON {
    let start = position
    while position < bytes.count, Self.isPartOfWord(bytes[position]) { position += 1 }
    guard position > start else { throw failure(Sentence("a value is missing")) }
    return strictValue(start..<position)
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

  /// Skips the comma after a value, if there is one.
  private mutating func endValue() throws(JSONError) {
    switch next() {
    case UInt8(ascii: ","):
      position += 1
      let next = next()
      if next == UInt8(ascii: "}") || next == UInt8(ascii: "]") { hasTrailingCommas = true }
    case UInt8(ascii: "}"), UInt8(ascii: "]"): break
    default: throw failure(Sentence("a comma or the end of an object is missing"))
    }
  }

  /// Skips the string that begins here; returns its range, with the quotation marks.
  private mutating func skipString() throws(JSONError) -> Range<Int> {
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

  /// The string at `range`.
  private mutating func string(_ range: Range<Int>) -> JSON {
    let inner = UnsafeBufferPointer(rebasing: bytes[range.lowerBound + 1..<range.upperBound - 1])
    return inner.isLiteral ? .string(String(decoding: inner, as: UTF8.self)) : strictValue(range)
  }

  /// The value at `range`, parsed as all other JSON is.
  private mutating func strictValue(_ range: Range<Int>) -> JSON {
    do {
      return try JSON(parsing: bytes[range])
    } catch {
      isValid = false
      return .null
    }
  }

  /// The next byte that is not whitespace.
  @inline(__always)
  private mutating func next() -> UInt8? {
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"):
        position += 1
      case let byte: return byte
      }
    }
    return nil
  }

  /// The error at the current position.
  private func failure(_ reason: Sentence) -> JSONError {
    JSONError(at: position, in: bytes.span, reason)
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether a string of these bytes is ASCII without escapes and control characters, as nearly all
  /// strings of a cache are.
  fileprivate var isLiteral: Bool {
    // Without an early end, the compiler can compare many bytes at once.
    var hasOther = false
    for byte in self where byte < 0x20 || byte >= 0x7F || byte == UInt8(ascii: "\\") {
      hasOther = true
    }
    return !hasOther
  }
}

extension AccountKey {
  /// The account that an entry with `value` belongs to; nil when there is none.
  fileprivate init?(ofEntry value: JSON) {
    guard let homeAccountID = value["home_account_id"]?.string,
      let environment = value["environment"]?.string
    else { return nil }
    self.init(homeAccountID: homeAccountID, environment: environment)
  }
}
