import CurlHTTP
import FoundationEssentials

extension SharedKeyringItem.Encoding {
  /// The content of an item, and its encoding, which the program that created the item chose.
  ///
  /// Text in neither encoding is returned unchanged. The encoding of an empty item is unknown.
  package static func read(_ text: [UInt8]) -> (bytes: [UInt8], encoding: Self?) {
    let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let start = text.starts(with: byteOrderMark) ? byteOrderMark.count : 0
    let blanks: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]
    guard let first = text[start...].first(where: { !blanks.contains($0) }) else {
      return ([], nil)
    }
    if first == UInt8(ascii: "{") { return (text, .raw) }
    let digits = text[start...].filter { !blanks.contains($0) }
    guard let data = Data(base64Encoded: Data(digits)) else { return (text, nil) }
    return (Array(data), .base64)
  }

  /// The text of an item that contains the JSON object in `bytes`.
  package func write(_ bytes: [UInt8]) -> [UInt8] {
    switch self {
    case .raw: Self.line(of: bytes)
    case .base64: Array(Data(bytes).base64EncodedData())
    }
  }

  /// JSON on one line, with only escapes that every keyring preserves.
  ///
  /// A gnome-keyring without a password is a text file with one line for each value. A line break
  /// in a value makes all of it unreadable, for all programs. It decodes the escapes of line
  /// breaks, tabs and backslashes, after which the text is not JSON any longer; numeric escapes are
  /// preserved.
  private static func line(of bytes: [UInt8]) -> [UInt8] {
    var line: [UInt8] = []
    line.reserveCapacity(bytes.count)
    var isInString = false
    var isEscaped = false
    for byte in bytes {
      if isEscaped {
        isEscaped = false
        switch byte {
        case UInt8(ascii: "\\"): line += "\\u005c".utf8
        case UInt8(ascii: "n"): line += "\\u000a".utf8
        case UInt8(ascii: "r"): line += "\\u000d".utf8
        case UInt8(ascii: "t"): line += "\\u0009".utf8
        case 0..<0x20: line += escape(of: byte)
        default: line += [UInt8(ascii: "\\"), byte]
        }
      } else if !isInString {
        if byte > 0x20 { line.append(byte) }
        isInString = byte == UInt8(ascii: "\"")
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte < 0x20 {
        // Not valid JSON, but some programs write it.
        line += escape(of: byte)
      } else {
        line.append(byte)
        isInString = byte != UInt8(ascii: "\"")
      }
    }
    return line
  }

  /// The numeric escape of a control character.
  private static func escape(of byte: UInt8) -> [UInt8] {
    Array("\\u00\([byte].hexadecimal)".utf8)
  }
}
