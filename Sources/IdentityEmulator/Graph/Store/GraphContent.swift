/// The bytes of a file.
enum GraphContent: Sendable {
  case bytes([UInt8])
  /// Bytes that are made when they are read, the same in every run.
  case generated(seed: UInt64, count: Int, isText: Bool)

  var count: Int {
    switch self {
    case .bytes(let bytes): bytes.count
    case .generated(_, let count, _): count
    }
  }

  /// All bytes.
  var bytes: [UInt8] { bytes(in: 0..<count) }

  /// The bytes of a part; no others are made.
  func bytes(in range: Range<Int>) -> [UInt8] {
    switch self {
    case .bytes(let bytes): range.count == bytes.count ? bytes : Array(bytes[range])
    case .generated(let seed, _, let isText):
      isText ? Self.text(range) : Self.noise(seed, range)
    }
  }

  /// Bytes that cannot be compressed.
  private static func noise(_ seed: UInt64, _ range: Range<Int>) -> [UInt8] {
    made(range, of: 8) { number, bytes in
      withUnsafeBytes(of: GUID.mix(seed ^ UInt64(number)).littleEndian) { bytes += $0 }
    }
  }

  /// Numbered lines of 32 bytes.
  private static func text(_ range: Range<Int>) -> [UInt8] {
    made(range, of: 32) { number, bytes in
      let digits = String(number + 1)
      let padding = String(repeating: "0", count: max(0, 7 - digits.count))
      bytes += "Line \(padding)\(digits) of a made-up text.\n".utf8
    }
  }

  /// The bytes of `range`, which `make` adds in pieces of `size` bytes.
  private static func made(
    _ range: Range<Int>, of size: Int, _ make: (Int, inout [UInt8]) -> Void
  ) -> [UInt8] {
    let first = range.lowerBound / size
    var bytes: [UInt8] = []
    bytes.reserveCapacity(range.count + 2 * size)
    for number in first...range.upperBound / size { make(number, &bytes) }
    bytes.removeLast(bytes.count - (range.upperBound - first * size))
    bytes.removeFirst(range.lowerBound - first * size)
    return bytes
  }
}
