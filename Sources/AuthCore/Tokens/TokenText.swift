/// The characters that tokens can contain.
///
/// Any other would have to be changed for sending, which would change the token; a line break would
/// start a new header field.
enum TokenText {
  /// Whether `text` is an access token that can be sent in a header field: `access-token` of RFC
  /// 6749, appendix A.12, without spaces.
  ///
  /// Not every service limits itself to `b64token` of RFC 6750, section 2.1.
  static func isAccessToken(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy(\.isVisibleASCII)
  }

  /// Whether `text` contains only visible ASCII characters and spaces: `VSCHAR` of RFC 6749,
  /// appendix A, for refresh tokens, codes and device codes.
  static func isVisible(_ text: String) -> Bool {
    text.utf8.allSatisfy { (0x20...0x7e).contains($0) }
  }
}

extension UInt8 {
  /// Whether it is a visible ASCII character, and no space: `VCHAR` of RFC 5234, appendix B.1.
  package var isVisibleASCII: Bool { 0x20 < self && self < 0x7f }
}
