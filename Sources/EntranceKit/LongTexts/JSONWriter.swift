import AuthCore
import CurlHTTP

/// Checks the grammar of JSON and writes the same value again, indented or on one line, with a
/// memory of one piece.
///
/// It accepts what `JSON(parsing:)` accepts, as the fuzz target `jsonWriter` checks.
struct JSONWriter {
  /// Why there is no text.
  enum Stop: Error {
    /// The bytes are not JSON, have a name twice, or are nested deeper than `JSON.maximumDepth`.
    case notJSON
    /// The text would be too long.
    case tooLong
    /// The task was canceled.
    case canceled
  }

  private let bytes: UnsafeRawBufferPointer
  private let isIndented: Bool
  private let limit: Int
  private var position = 0
  private var text: String
  /// The last part of the text, which always ends with a complete character.
  private var piece: [UInt8] = []
  private static let pieceSize = 32 << 10

  /// Creates a writer of a value after `heading`; it is valid as long as `bytes` are.
  init(bytes: UnsafeRawBufferPointer, heading: String, isIndented: Bool, limit: Int) {
    self.bytes = bytes
    text = heading
    self.isIndented = isIndented
    self.limit = limit
    piece.reserveCapacity(2 * Self.pieceSize)
    text.reserveCapacity(bytes.count)
  }

  /// Writes everything.
  mutating func write() throws(Stop) -> String {
    try writeValue(level: 0)
    skipBlanks()
    guard position == bytes.count else { throw .notJSON }
    try finishPiece()
    return text
  }

  // MARK: - Reading

  /// The next byte, which nothing else reads; nil at the end.
  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipBlanks() {
    while let next, next == 0x20 || next == 0x0a || next == 0x0d || next == 0x09 { position += 1 }
  }

  private mutating func accept(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  // MARK: - Values

  private mutating func writeValue(level: Int) throws(Stop) {
    guard level < JSON.maximumDepth else { throw .notJSON }
    skipBlanks()
    switch next {
    case UInt8(ascii: "{"): try writeList("}", level: level, hasNames: true)
    case UInt8(ascii: "["): try writeList("]", level: level, hasNames: false)
    case UInt8(ascii: "\""): try writeString()
    case UInt8(ascii: "t"): try writeLiteral("true")
    case UInt8(ascii: "f"): try writeLiteral("false")
    case UInt8(ascii: "n"): try writeLiteral("null")
    default: try writeNumber()
    }
    try finishFullPiece()
  }

  private mutating func writeList(
    _ end: Unicode.Scalar, level: Int, hasNames: Bool
  ) throws(Stop) {
    writeBytes(position..<position + 1)
    position += 1
    skipBlanks()
    if accept(end) { return piece.append(UInt8(ascii: end)) }
    var names = Names()
    while true {
      startLine(level + 1)
      if hasNames {
        skipBlanks()
        guard next == UInt8(ascii: "\"") else { throw .notJSON }
        let (start, written) = (position, text.utf8.count + piece.count)
        try writeString()
        guard names.insert(start..<position, of: bytes, as: { self.written(from: written) }) else {
          throw .notJSON
        }
        skipBlanks()
        guard accept(":") else { throw .notJSON }
        piece.append(UInt8(ascii: ":"))
        if isIndented { piece.append(UInt8(ascii: " ")) }
      }
      try writeValue(level: level + 1)
      skipBlanks()
      guard accept(",") else { break }
      piece.append(UInt8(ascii: ","))
    }
    guard accept(end) else { throw .notJSON }
    startLine(level)
    piece.append(UInt8(ascii: end))
  }

  /// The names of an object's members.
  private struct Names {
    /// Where the names are that are written as they came: few are found faster so than by hashes.
    private var places: [Range<Int>] = []
    /// As they are written: when there are many, or another one.
    private var others: Set<String> = []

    private static let few = 16

    /// Adds a name.
    ///
    /// - Parameter written: the name as it is written.
    /// - Returns: whether it is new.
    mutating func insert(
      _ place: Range<Int>, of bytes: UnsafeRawBufferPointer, as written: () -> String
    ) -> Bool {
      let name = UnsafeRawBufferPointer(rebasing: bytes[place])
      let isPlain = name.allSatisfy { $0 < 0x7f && $0 != UInt8(ascii: "\\") }
      if isPlain, others.isEmpty, places.count < Self.few {
        let isKnown = places.contains { $0.count == name.count && bytes[$0].elementsEqual(name) }
        places.append(place)
        return !isKnown
      }
      for place in places { others.insert(String(decoding: bytes[place], as: UTF8.self)) }
      places = []
      let text = written()
      return !text.hasTooManyAccents && others.insert(text).inserted
    }
  }

  private mutating func writeLiteral(_ literal: StaticString) throws(Stop) {
    let end = position + literal.utf8CodeUnitCount
    guard end <= bytes.count, bytes[position..<end].elementsEqual(literal.description.utf8) else {
      throw .notJSON
    }
    writeBytes(position..<end)
    position = end
  }

  private mutating func writeNumber() throws(Stop) {
    let start = position
    _ = accept("-")
    if !accept("0"), try skipDigits() == 0 { throw .notJSON }
    if accept("."), try skipDigits() == 0 { throw .notJSON }
    if accept("e") || accept("E") {
      if !accept("+") { _ = accept("-") }
      if try skipDigits() == 0 { throw .notJSON }
    }
    writeBytes(start..<position)
  }

  /// - Returns: how many digits there were; a number can be as long as the body.
  private mutating func skipDigits() throws(Stop) -> Int {
    let start = position
    while let next, UInt8(ascii: "0")...UInt8(ascii: "9") ~= next {
      position += 1
      if position % Self.pieceSize == 0, Task.isCancelled { throw .canceled }
    }
    return position - start
  }

  // MARK: - Strings

  private mutating func writeString() throws(Stop) {
    let characters = bytes.assumingMemoryBound(to: UInt8.self).span
    position += 1
    piece.append(UInt8(ascii: "\""))
    while true {
      let run = run()
      try writeRun(run)
      try finishFullPiece()
      switch next {
      case UInt8(ascii: "\""):
        position += 1
        return piece.append(UInt8(ascii: "\""))
      case UInt8(ascii: "\\"):
        guard let (scalar, end) = try? JSON.unescape(characters, at: position) else {
          throw .notJSON
        }
        write(scalar)
        position = end
      case .some(0x20...):
        // The run ended because it was long.
        break
      default: throw .notJSON
      }
    }
  }

  /// The bytes up to the next quote, escape or control character, but not much more than a piece.
  private mutating func run() -> Range<Int> {
    let start = position
    let end = start + Self.pieceSize
    while let next, next >= 0x20, next != UInt8(ascii: "\""), next != UInt8(ascii: "\\"),
      // A character, which has at most four bytes, is not cut.
      position < end || next & 0xC0 == 0x80 && position < end + 4
    {
      position += 1
    }
    return start..<position
  }

  private mutating func writeRun(_ run: Range<Int>) throws(Stop) {
    let run = UnsafeRawBufferPointer(rebasing: bytes[run])
    if run.allSatisfy({ $0 < 0x7f }) { return piece.append(contentsOf: run) }
    guard let characters = String(validating: run, as: UTF8.self) else { throw .notJSON }
    for scalar in characters.unicodeScalars { write(scalar) }
  }

  private mutating func write(_ scalar: Unicode.Scalar) {
    var character = ""
    JSON.write(scalar, to: &character)
    piece.append(contentsOf: character.utf8)
  }

  // MARK: - Writing

  private mutating func startLine(_ level: Int) {
    guard isIndented else { return }
    piece.append(UInt8(ascii: "\n"))
    piece.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * level))
  }

  private mutating func writeBytes(_ range: Range<Int>) {
    piece.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[range]))
  }

  /// What was written since the text had `size` bytes.
  private func written(from size: Int) -> String {
    let inText = text.utf8.dropFirst(size)
    return String(decoding: inText, as: UTF8.self)
      + String(decoding: piece.dropFirst(max(size - text.utf8.count, 0)), as: UTF8.self)
  }

  private mutating func finishFullPiece() throws(Stop) {
    if piece.count >= Self.pieceSize { try finishPiece() }
  }

  private mutating func finishPiece() throws(Stop) {
    guard !Task.isCancelled else { throw .canceled }
    text += String(decoding: piece, as: UTF8.self)
    piece.removeAll(keepingCapacity: true)
    if text.utf8.count > limit { throw .tooLong }
  }
}
