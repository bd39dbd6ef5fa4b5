import CurlHTTP
public import FoundationEssentials

/// Base64 with the URL-safe alphabet and no padding (RFC 4648, section 5; RFC 7515, section 2).
public enum Base64URL {
  /// Encodes `bytes`.
  public static func encode(_ bytes: some Sequence<UInt8>) -> String {
    var text = Array(Data(bytes).base64EncodedData())
    while text.last == UInt8(ascii: "=") { text.removeLast() }
    for place in text.indices {
      switch text[place] {
      case UInt8(ascii: "+"): text[place] = UInt8(ascii: "-")
      case UInt8(ascii: "/"): text[place] = UInt8(ascii: "_")
      default: break
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Decodes `text` strictly: no padding, no whitespace, no stray bits.
  ///
  /// Nil for any other text.
  public static func decode(_ text: some StringProtocol) -> Data? {
    var bytes = Array(text.utf8)
    let end = bytes.suffix(bytes.count % 4)
    guard !bytes.isEmpty, end.count != 1 else { return nil }
    for place in bytes.indices {
      switch bytes[place] {
      case UInt8(ascii: "-"): bytes[place] = UInt8(ascii: "+")
      case UInt8(ascii: "_"): bytes[place] = UInt8(ascii: "/")
      case let byte where byte.isAlphanumeric: break
      default: return nil
      }
    }
    while bytes.count % 4 != 0 { bytes.append(UInt8(ascii: "=")) }
    guard let data = Data(base64Encoded: Data(bytes)) else { return nil }
    // Otherwise two different texts could have the same bytes, and a signature would not cover what
    // is compared. Only the end can have unused bits.
    guard encode(data.suffix(data.count % 3)).utf8.elementsEqual(end) else { return nil }
    return data
  }
}
