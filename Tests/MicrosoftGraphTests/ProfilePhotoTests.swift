import FoundationEssentials
import MicrosoftGraph
import Testing

@Suite("Profile photos")
struct ProfilePhotoTests {
  /// A PNG up to the end of its first chunk's size.
  static func png(_ width: UInt32, _ height: UInt32) -> [UInt8] {
    let start: [UInt8] = [
      0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52,
    ]
    return start
      + [width, height].flatMap { number in
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
      }
  }

  /// A JPEG up to its frame header, after an application segment.
  static func jpeg(_ width: UInt16, _ height: UInt16, marker: UInt8 = 0xC0) -> [UInt8] {
    let size = [height, width].flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    return [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xFF, marker, 0, 8, 8] + size + [3]
  }

  @Test("PNG and JPEG of a moderate size are accepted")
  func accepted() {
    #expect(ProfilePhoto(Data(Self.png(96, 96))) != nil)
    #expect(ProfilePhoto(Data(Self.png(1024, 1))) != nil)
    #expect(ProfilePhoto(Data(Self.jpeg(96, 96))) != nil)
    #expect(ProfilePhoto(Data(Self.jpeg(648, 648, marker: 0xC2))) != nil)
    // A slice has other indices.
    #expect(ProfilePhoto(Data([0] + Self.png(96, 96)).dropFirst()) != nil)
  }

  @Test("Anything else is not, and never traps")
  func rejected() {
    for bytes in [
      Self.png(1025, 96), Self.png(0, 96), Self.png(96, .max), Self.jpeg(1025, 96),
      Self.jpeg(96, 0), Self.jpeg(96, 96, marker: 0xC4), Self.jpeg(96, 96, marker: 0xDA),
      Array("GIF89a".utf8), Array("<svg/>".utf8), [],
      Self.png(96, 96)
        + [UInt8](
          repeating: 0, count: 1_000_000),
    ] {
      #expect(ProfilePhoto(Data(bytes)) == nil)
    }
    for bytes in [Self.png(96, 96), Self.jpeg(96, 96)] {
      for count in 0..<(bytes.count - 1) {
        #expect(ProfilePhoto(Data(bytes.prefix(count))) == nil)
      }
      for index in bytes.indices {
        for value in [0, 1, 0x7F, 0xFF] as [UInt8] {
          var bytes = bytes
          bytes[index] = value
          _ = ProfilePhoto(Data(bytes))
        }
      }
    }
  }
}
