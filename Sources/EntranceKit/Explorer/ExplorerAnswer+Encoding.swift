import AuthCore
import CurlHTTP
import FoundationEssentials

// Whether the body of an answer is text, in which encoding, and how its characters are shown.
extension ExplorerAnswer {
  /// Whether the bytes are text: UTF-8 without the control characters of no text.
  static func isText(_ body: Data) -> Bool {
    !body.contains { $0 < 0x20 && ![0x09, 0x0A, 0x0D, 0x0C].contains($0) }
      && String(validating: body, as: UTF8.self) != nil
  }

  /// A text in another encoding than UTF-8, as its media type or its first bytes say; nil when it is
  /// none.
  static func text(of body: Data, _ type: String) -> String? {
    guard type.hasPrefix("text/"), String(validating: body, as: UTF8.self) == nil else {
      return nil
    }
    let bytes = [UInt8](body)
    let charset = type.split(separator: ";").dropFirst().lazy
      .map { $0.filter { !$0.isWhitespace && $0 != "\"" } }
      .first { $0.hasPrefix("charset=") }?.dropFirst(8)
    if bytes.starts(with: [0xFF, 0xFE]) || charset == "utf-16le" {
      return MarkedText.utf16(bytes, isBigEndian: false)
    }
    if bytes.starts(with: [0xFE, 0xFF]) || charset == "utf-16be" || charset == "utf-16" {
      return MarkedText.utf16(bytes, isBigEndian: true)
    }
    guard ["iso-8859-1", "windows-1252", "us-ascii"].contains(charset), !bytes.contains(0) else {
      return nil
    }
    var text = String.UnicodeScalarView()
    // The controls of ISO 8859-1 are in no text; browsers read its name as Windows-1252, too
    // (WHATWG, Encoding, section 4.2).
    for byte in bytes {
      let value = 0x80..<0xA0 ~= byte ? windows1252[Int(byte) - 0x80] : UInt32(byte)
      text.append(Unicode.Scalar(value) ?? "\u{FFFD}")
    }
    return String(text)
  }

  /// The characters 0x80 to 0x9F (WHATWG, Encoding, index windows-1252).
  private static let windows1252: [UInt32] = [
    0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039,
    0x0152, 0x8D, 0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
    0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D, 0x017E, 0x0178,
  ]

  /// The text with its lines, in which no character acts instead of being seen.
  static func visible(_ text: String) -> String {
    let newline = UInt8(ascii: "\n")
    if text.utf8.allSatisfy({ 0x20..<0x7F ~= $0 || $0 == newline }) { return text }
    var visible = ""
    visible.reserveCapacity(text.utf8.count)
    var rest = Substring(text)
    while let end = rest.utf8.firstIndex(of: newline) {
      visible.append(visibleLine: rest[..<end])
      visible += "\n"
      rest = rest[rest.utf8.index(after: end)...]
    }
    visible.append(visibleLine: rest)
    return visible
  }
}

extension String {
  /// Adds a line of text without the end that Windows gives it.
  fileprivate mutating func append(visibleLine line: Substring) {
    // A letter with an accent in one line must not slow down the others, which may be a million.
    if line.utf8.allSatisfy({ 0x20..<0x7F ~= $0 || $0 == UInt8(ascii: "\t") }) {
      return append(contentsOf: line)
    }
    self += (line.hasSuffix("\r") ? line.dropLast() : line)
      .split(separator: "\t", omittingEmptySubsequences: false)
      .map { String($0).plain }.joined(separator: "\t")
  }
}
