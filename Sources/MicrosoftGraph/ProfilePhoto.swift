import CurlHTTP
public import FoundationEssentials
import HTTPTypes

/// A profile photo: a PNG or JPEG whose header states a moderate size.
///
/// It is checked before it is decoded: a small file can state a size for which a decoder would
/// reserve gigabytes.
public struct ProfilePhoto: Sendable, Equatable {
  /// The encoded image.
  public let data: Data

  /// The largest width and height, in pixels: more than the largest photo of Microsoft Graph.
  static let largestSide = 1024
  /// The largest file, in bytes.
  static let largestFile = 1_000_000

  /// Takes an encoded image; nil when it is of another format, too large, or too short for its
  /// header.
  public init?(_ data: Data) {
    guard data.count <= Self.largestFile,
      let size = Self.sizeOfPNG(data) ?? Self.sizeOfJPEG(data),
      (1...Self.largestSide).contains(size.width), (1...Self.largestSide).contains(size.height)
    else { return nil }
    self.data = data
  }

  private typealias Size = (width: Int, height: Int)

  /// The size in the first chunk (W3C PNG, third edition, section 11.2.1).
  private static func sizeOfPNG(_ data: Data) -> Size? {
    let start: [UInt8] = [
      0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52,
    ]
    let bytes = data.prefix(start.count + 8)
    guard bytes.count == start.count + 8, bytes.starts(with: start) else { return nil }
    func number(_ bytes: Data.SubSequence) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
    return (number(bytes.dropFirst(start.count).prefix(4)), number(bytes.suffix(4)))
  }

  /// The size in the first frame header (ITU-T T.81, section B.2.2).
  private static func sizeOfJPEG(_ data: Data) -> Size? {
    var rest = data[...]
    guard rest.popFirst() == 0xFF, rest.popFirst() == 0xD8 else { return nil }
    while rest.popFirst() == 0xFF {
      var marker = rest.popFirst()
      // Fill bytes.
      while marker == 0xFF { marker = rest.popFirst() }
      guard let marker, let high = rest.popFirst(), let low = rest.popFirst() else { return nil }
      let length = Int(high) << 8 | Int(low)
      let segment = rest.prefix(length - 2 < 0 ? 0 : length - 2)
      guard length >= 2, segment.count == length - 2 else { return nil }
      switch marker {
      // Huffman tables, extensions and arithmetic conditioning have numbers among the frames'.
      case 0xC4, 0xC8, 0xCC: break
      case 0xC0...0xCF:
        let fields = [UInt8](segment.prefix(5))
        guard fields.count == 5 else { return nil }
        return (Int(fields[3]) << 8 | Int(fields[4]), Int(fields[1]) << 8 | Int(fields[2]))
      // The end of the image, or a scan before any frame.
      case 0xD9, 0xDA: return nil
      default: break
      }
      rest = rest.dropFirst(segment.count)
    }
    return nil
  }
}

extension GraphClient {
  /// The profile photo of the signed-in user, usually 96 pixels wide and high.
  ///
  /// This needs the permission `User.Read`.
  /// - Returns: nil when the user has no photo that can be shown, or the token does not allow to
  ///   read it.
  /// - Throws: ``GraphError``.
  public func profilePhoto() async throws(GraphError) -> ProfilePhoto? {
    var client = self
    client.version = .v1
    client.limits = HTTPLimits(total: .seconds(30), bodySize: ProfilePhoto.largestFile)
    var request = GraphRequest(.get, "/me/photos/96x96/$value")
    request.headerFields[.accept] = "image/*"
    do throws(GraphError) {
      return ProfilePhoto(try await client.send(request).body)
    } catch {
      switch error.code {
      case .notFound, .forbidden: return nil
      default: throw error
      }
    }
  }
}
