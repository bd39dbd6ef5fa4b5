/// Text that begins with a byte order mark, which says its encoding (Unicode Standard, section
/// 23.8): PowerShell writes the output of a program so, and Visual Studio its files.
package enum MarkedText {
  /// The mark of UTF-8.
  package static let utf8Mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// The text in UTF-8, without its mark; `bytes` as they are when they have none, or are no text in
  /// the encoding that it says.
  package static func utf8(_ bytes: [UInt8]) -> [UInt8] {
    if bytes.starts(with: utf8Mark) { return Array(bytes.dropFirst(3)) }
    guard isUTF16(bytes), bytes.count.isMultiple(of: 2),
      let text = String(
        validating: units(bytes, isBigEndian: bytes[0] == 0xFE).dropFirst(), as: UTF16.self)
    else { return bytes }
    return Array(text.utf8)
  }

  /// Whether the mark is one of UTF-16.
  package static func isUTF16(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE])
  }

  /// The text in UTF-16, without its mark if it has one; what is no character is U+FFFD.
  package static func utf16(_ bytes: [UInt8], isBigEndian: Bool) -> String {
    let units = units(bytes, isBigEndian: isBigEndian)
    return String(decoding: units.first == 0xFEFF ? units.dropFirst() : units[...], as: UTF16.self)
  }

  private static func units(_ bytes: [UInt8], isBigEndian: Bool) -> [UInt16] {
    stride(from: 0, to: bytes.count - 1, by: 2).map { index in
      let (one, other) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      return isBigEndian ? one << 8 | other : other << 8 | one
    }
  }
}
