/// Text that begins with a byte order mark, which says its encoding (Unicode Standard, section
/// 23.8): PowerShell writes the output of a program so, and Visual Studio its files.
package enum MarkedText {
  /// The text in UTF-8, without its mark; `bytes` as they are when they have none.
  package static func utf8(_ bytes: [UInt8]) -> [UInt8] {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return Array(bytes.dropFirst(3)) }
    let isBigEndian = bytes.starts(with: [0xFE, 0xFF])
    guard isBigEndian || bytes.starts(with: [0xFF, 0xFE]) else { return bytes }
    return Array(utf16(bytes, isBigEndian: isBigEndian).utf8)
  }

  /// The text in UTF-16, without its mark if it has one; what is no character is U+FFFD.
  package static func utf16(_ bytes: [UInt8], isBigEndian: Bool) -> String {
    let units = stride(from: 0, to: bytes.count - 1, by: 2).map { index in
      let (one, other) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      return isBigEndian ? one << 8 | other : other << 8 | one
    }
    return String(decoding: units.first == 0xFEFF ? units.dropFirst() : units[...], as: UTF16.self)
  }
}
