import FoundationEssentials

/// The bytes of a file.
enum GraphContent: Sendable {
  case bytes([UInt8])
  /// The fragments of an upload.
  case fragments([[UInt8]])
  /// Bytes that are made when they are read, the same in every run.
  case generated(seed: UInt64, count: Int, isText: Bool)

  var count: Int {
    switch self {
    case .bytes(let bytes): bytes.count
    case .fragments(let fragments): fragments.reduce(0) { $0 + $1.count }
    case .generated(_, let count, _): count
    }
  }

  /// A response with these bytes, or with a part of them.
  func body(_ range: Range<Int>? = nil) -> ResponseBody {
    let range = range ?? 0..<count
    return ResponseBody(count: range.count) { offset, buffer in
      read(at: range.lowerBound + offset, into: buffer)
    }
  }

  /// All bytes.
  var bytes: [UInt8] {
    if case .bytes(let bytes) = self { return bytes }
    let count = count
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      read(at: 0, into: UnsafeMutableRawBufferPointer(buffer))
      initialized = count
    }
  }

  private func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) {
    switch self {
    case .bytes(let bytes): copy(bytes, offset, buffer)
    case .fragments(let fragments):
      var (start, written) = (0, 0)
      for fragment in fragments where written < buffer.count {
        let end = start + fragment.count
        if offset + written < end {
          let part = UnsafeMutableRawBufferPointer(rebasing: buffer[written...])
          written += copy(fragment, offset + written - start, part)
        }
        start = end
      }
    case .generated(let seed, _, let isText):
      isText ? Self.text(seed, offset, buffer) : Self.noise(seed, offset, buffer)
    }
  }

  @discardableResult
  private func copy(
    _ bytes: [UInt8], _ offset: Int, _ buffer: UnsafeMutableRawBufferPointer
  ) -> Int {
    let count = min(buffer.count, bytes.count - offset)
    guard count > 0 else { return 0 }
    bytes.withUnsafeBytes { source in
      buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: source[offset..<offset + count]))
    }
    return count
  }

  /// Bytes that cannot be compressed.
  private static func noise(_ seed: UInt64, _ offset: Int, _ buffer: UnsafeMutableRawBufferPointer)
  {
    var position = 0
    while position < buffer.count {
      let place = offset + position
      let word = GUID.mix(seed ^ UInt64(place / 8))
      for index in place % 8..<8 where position < buffer.count {
        buffer[position] = UInt8(truncatingIfNeeded: word >> UInt64(index * 8))
        position += 1
      }
    }
  }

  /// Numbered lines of 32 bytes.
  private static func text(_ seed: UInt64, _ offset: Int, _ buffer: UnsafeMutableRawBufferPointer) {
    var position = 0
    while position < buffer.count {
      let place = offset + position
      let number = String(place / 32 + 1)
      let padding = String(repeating: "0", count: max(0, 7 - number.count))
      let line = Array("Line \(padding)\(number) of a made-up text.\n".utf8)
      for index in place % 32..<32 where position < buffer.count {
        buffer[position] = line[index]
        position += 1
      }
    }
  }
}
