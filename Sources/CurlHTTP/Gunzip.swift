import CZlib
package import FoundationEssentials
import Glibc

/// Decodes a gzip-coded body, piece by piece.
///
/// libcurl could do it, but takes a truncated gzip stream for a complete body.
package final class Gunzip {
  /// Why a body cannot be decoded.
  enum Failure {
    case outputTooLarge
    case malformedInput
  }

  /// Whether the input so far is complete, including the checksum.
  private(set) var isAtEnd = false

  private static let outputSize = 64 << 10

  /// zlib keeps pointers to its stream, so it must not move.
  private let stream: UnsafeMutablePointer<z_stream>
  private let output: UnsafeMutableRawBufferPointer

  init() {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    output = .allocate(byteCount: Self.outputSize, alignment: 1)
    // Largest window, plus 16 for "gzip only". When memory is short, `inflate` reports it.
    inflateInit2_(stream, MAX_WBITS + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
    // A body may hold tokens.
    if let base = output.baseAddress { explicit_bzero(base, output.count) }
    output.deallocate()
  }

  /// What a whole gzip stream holds; nil when it is malformed or holds more than `limit`.
  package static func data(_ input: UnsafeRawBufferPointer, limit: Int) -> Data? {
    let gunzip = Gunzip()
    var data = Data()
    return gunzip.expand(input, into: &data, limit: limit) == nil && gunzip.isAtEnd ? data : nil
  }

  /// Appends the decoded `input`, as long as `body` stays within `limit`.
  func expand(
    _ input: UnsafeRawBufferPointer, into body: inout Data, limit: Int
  ) -> Failure? {
    // zlib only reads from here, but declares the pointer without `const`.
    stream.pointee.next_in = UnsafeMutablePointer(
      mutating: input.bindMemory(to: UInt8.self).baseAddress)
    stream.pointee.avail_in = UInt32(input.count)
    repeat {
      if isAtEnd {
        // A gzip body may have several members (RFC 1952, 2.2).
        guard inflateReset(stream) == Z_OK else { return .malformedInput }
        isAtEnd = false
      }
      stream.pointee.next_out = output.bindMemory(to: UInt8.self).baseAddress
      stream.pointee.avail_out = UInt32(output.count)
      let status = inflate(stream, Z_NO_FLUSH)
      let expanded = output[..<(output.count - Int(stream.pointee.avail_out))]
      guard expanded.count <= limit - body.count else { return .outputTooLarge }
      body.append(contentsOf: expanded)
      switch status {
      case Z_OK: break
      case Z_STREAM_END: isAtEnd = true
      case Z_BUF_ERROR: return nil
      default: return .malformedInput
      }
    } while stream.pointee.avail_in > 0 || stream.pointee.avail_out == 0 && !isAtEnd
    return nil
  }
}
