/// Draws profile photos: a figure in front of a background, as a PNG (W3C PNG, third edition).
enum ProfilePhoto {
  private static let size = 96

  /// The photo for a background given as `0xRRGGBB`.
  static func png(background: UInt32) -> [UInt8] {
    var header = bigEndian(UInt32(size)) + bigEndian(UInt32(size))
    // Eight bits per channel, palette, deflate, no filter, no interlace.
    header += [8, 3, 0, 0, 0]
    let palette = [
      UInt8(truncatingIfNeeded: background >> 16), UInt8(truncatingIfNeeded: background >> 8),
      UInt8(truncatingIfNeeded: background), 0xF6, 0xEF, 0xE6,
    ]
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      + chunk("IHDR", header) + chunk("PLTE", palette) + chunk("IDAT", zlib(pixels()))
      + chunk("IEND", [])
  }

  /// One palette index per pixel, with the filter byte before each row.
  private static func pixels() -> [UInt8] {
    (0..<size).flatMap { y in
      [0] + (0..<size).map { x in isFigure(x, y) ? 1 : 0 }
    }
  }

  private static func isFigure(_ x: Int, _ y: Int) -> Bool {
    func isInCircle(_ centerX: Int, _ centerY: Int, _ radius: Int) -> Bool {
      let (dx, dy) = (x - centerX, y - centerY)
      return dx * dx + dy * dy <= radius * radius
    }
    return isInCircle(48, 36, 17) || isInCircle(48, 92, 34)
  }

  /// Wraps bytes as zlib data (RFC 1950) in one stored block (RFC 1951, section 3.2.4).
  private static func zlib(_ bytes: [UInt8]) -> [UInt8] {
    let length = UInt16(bytes.count)
    var result: [UInt8] = [0x78, 0x01, 0x01]
    for value in [length, ~length] {
      result += [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
    }
    var (a, b): (UInt32, UInt32) = (1, 0)
    for byte in bytes {
      a = (a + UInt32(byte)) % 65521
      b = (b + a) % 65521
    }
    return result + bytes + bigEndian(b << 16 | a)
  }

  private static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
    let body = Array(type.utf8) + content
    return bigEndian(UInt32(content.count)) + body + bigEndian(crc(body))
  }

  private static func crc(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(UInt32.max) { crc, byte in
      (0..<8).reduce(crc ^ UInt32(byte)) { crc, _ in
        crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1
      }
    }
  }

  private static func bigEndian(_ value: UInt32) -> [UInt8] {
    stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: value >> $0) }
  }
}
