public import FoundationEssentials

/// Base64 with the URL-safe alphabet and no padding (RFC 4648, section 5; RFC 7515, section 2).
public enum Base64URL {
  /// Encodes `bytes`.
  public static func encode(_ bytes: some Sequence<UInt8>) -> String {
    let text = Data(bytes).base64EncodedString()
    return String(
      decoding: text.utf8.lazy.filter { $0 != UInt8(ascii: "=") }.map {
        switch $0 {
        case UInt8(ascii: "+"): UInt8(ascii: "-")
        case UInt8(ascii: "/"): UInt8(ascii: "_")
        default: $0
        }
      }, as: UTF8.self)
  }

  /// Decodes `text` strictly: no padding, no whitespace, no stray bits.
  ///
  /// Nil for any other text.
  public static func decode(_ text: some StringProtocol) -> Data? {
    let bytes = Array(text.utf8)
    guard !bytes.isEmpty, bytes.count % 4 != 1 else { return nil }
    var standard: [UInt8] = []
    standard.reserveCapacity(bytes.count + 3)
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "-"): standard.append(UInt8(ascii: "+"))
      case UInt8(ascii: "_"): standard.append(UInt8(ascii: "/"))
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "a")...UInt8(ascii: "z"):
        standard.append(byte)
      default: return nil
      }
    }
    while standard.count % 4 != 0 { standard.append(UInt8(ascii: "=")) }
    guard let data = Data(base64Encoded: Data(standard)) else { return nil }
    // Otherwise two different texts could have the same bytes, and a signature would not cover what
    // is compared.
    guard encode(data).utf8.elementsEqual(bytes) else { return nil }
    return data
  }
}
