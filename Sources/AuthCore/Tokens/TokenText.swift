/// The characters that tokens can contain.
///
/// Any other would have to be changed for sending, which would change the token; a line break would
/// start a new header field.
enum TokenText {
  /// Whether `text` is valid as a bearer token: `b64token` of RFC 6750, section 2.1.
  static func isBearerToken(_ text: String) -> Bool {
    let body = text.utf8.prefix { $0 != UInt8(ascii: "=") }
    return !body.isEmpty && text.utf8.dropFirst(body.count).allSatisfy { $0 == UInt8(ascii: "=") }
      && body.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "a")...UInt8(ascii: "z"):
          true
        default: "-._~+/".utf8.contains(byte)
        }
      }
  }

  /// Whether `text` contains only visible ASCII characters and spaces: `VSCHAR` of RFC 6749,
  /// appendix A, for refresh tokens, codes and device codes.
  static func isVisible(_ text: String) -> Bool {
    text.utf8.allSatisfy { (0x20...0x7e).contains($0) }
  }
}
