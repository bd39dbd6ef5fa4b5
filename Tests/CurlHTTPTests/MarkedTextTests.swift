import CurlHTTP
import Testing

/// The bytes are those of Python's codecs utf-16-le, utf-16-be and utf-8-sig, with their marks.
@Suite("Text with a byte order mark")
struct MarkedTextTests {
  @Test(
    "It is read as UTF-8",
    arguments: [
      [0xFF, 0xFE, 0x41, 0x00, 0xE4, 0x00, 0x3D, 0xD8, 0x11, 0xDD],
      [0xFE, 0xFF, 0x00, 0x41, 0x00, 0xE4, 0xD8, 0x3D, 0xDD, 0x11],
      [0xEF, 0xBB, 0xBF, 0x41, 0xC3, 0xA4, 0xF0, 0x9F, 0x94, 0x91],
      [0x41, 0xC3, 0xA4, 0xF0, 0x9F, 0x94, 0x91],
    ] as [[UInt8]])
  func marked(bytes: [UInt8]) {
    #expect(MarkedText.utf8(bytes) == Array("Aä🔑".utf8))
  }

  @Test("Nothing but a mark, half a unit, half a pair, and no text at all")
  func parts() {
    #expect(MarkedText.utf8([0xFF, 0xFE]) == [])
    #expect(MarkedText.utf8([0xFE, 0xFF, 0x00]) == [])
    #expect(MarkedText.utf8([0xFF, 0xFE, 0x3D, 0xD8]) == Array("\u{FFFD}".utf8))
    #expect(MarkedText.utf8([]) == [])
    #expect(MarkedText.utf8([0xFF]) == [0xFF])
  }
}
