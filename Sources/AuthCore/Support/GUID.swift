/// Tenant, object and application IDs.
enum GUID {
  /// Whether `text` is a GUID as Microsoft writes it: 8-4-4-4-12 hex digits.
  static func isValid(_ text: some StringProtocol) -> Bool {
    guard text.utf8.count == 36 else { return false }
    var position = 0
    for byte in text.utf8 {
      let isHyphen = position == 8 || position == 13 || position == 18 || position == 23
      guard isHyphen ? byte == UInt8(ascii: "-") : isHexDigit(byte) else { return false }
      position += 1
    }
    return true
  }

  /// A new random GUID in lower case (RFC 9562, section 5.4).
  static func random() -> String {
    var generator = SystemRandomNumberGenerator()
    var bits = (generator.next() as UInt64, generator.next() as UInt64)
    bits.0 = bits.0 & ~0xF000 | 0x4000
    bits.1 = bits.1 & ~(0b11 << 62) | 0b10 << 62
    return String(unsafeUninitializedCapacity: 36) { buffer in
      for position in 0..<36 {
        if position == 8 || position == 13 || position == 18 || position == 23 {
          buffer[position] = UInt8(ascii: "-")
        } else {
          let digit = UInt8(truncatingIfNeeded: bits.0 >> 60)
          buffer[position] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
          bits.0 = bits.0 << 4 | bits.1 >> 60
          bits.1 <<= 4
        }
      }
      return 36
    }
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "F"),
      UInt8(ascii: "a")...UInt8(ascii: "f"):
      true
    default: false
    }
  }
}
