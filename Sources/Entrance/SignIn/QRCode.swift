import CQREncode

/// A QR code, made by libqrencode.
struct QRCode {
  /// Whether each square of each row is dark.
  let rows: [[Bool]]

  /// How many light squares the standard wants around a code.
  static let margin = 4

  /// The width of a square, in pixels: a large code has small ones, to fit into a narrow window.
  var squareSize: Int { max(1, min(5, 320 / (rows.count + 2 * Self.margin))) }

  /// Encodes `text`; nil when it is too long.
  init?(_ text: String) {
    // With 0, the library chooses the smallest version.
    guard let code = QRcode_encodeString(text, 0, QR_ECLEVEL_M, QR_MODE_8, 1) else { return nil }
    defer { QRcode_free(code) }
    let width = Int(code.pointee.width)
    guard let squares = code.pointee.data else { return nil }
    // The lowest bit of a square says whether it is dark.
    rows = (0..<width).map { y in (0..<width).map { x in squares[y * width + x] & 1 == 1 } }
  }
}
