/// A request that came to the loopback listener, as far as it is looked at.
struct LoopbackRequest: Sendable, Equatable {
  /// The method, such as `GET`.
  var method: String
  /// The path and query that are asked for.
  var target: String
  /// The `Host` field.
  var host: String
  /// The media type of the body, in lower case and without parameters.
  var contentType: String
  /// The body.
  var body: [UInt8]
}

/// Puts a request together from the pieces in which it comes (RFC 9112).
///
/// Only what a browser sends for a redirect is understood. Whatever is unclear about where the request ends
/// is refused.
struct LoopbackRequestReader: Sendable {
  /// What there is after a piece.
  enum Progress: Sendable, Equatable {
    case incomplete
    case complete(LoopbackRequest)
    /// Not a request that is answered; the status says why.
    case refused(status: Int)
  }

  /// The longest head, in bytes: the code is in it when the answer comes with GET.
  static let maximumHead = 32 << 10
  /// The longest body, in bytes.
  static let maximumBody = 64 << 10

  private var bytes: [UInt8] = []

  /// Takes in the next piece.
  mutating func take(_ piece: some Collection<UInt8>) -> Progress {
    bytes += piece
    guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else {
      return bytes.count > Self.maximumHead ? .refused(status: 431) : .incomplete
    }
    guard end.lowerBound <= Self.maximumHead else { return .refused(status: 431) }
    return Self.read(head: bytes[..<end.lowerBound], body: bytes[end.upperBound...])
  }

  private static func read(head: ArraySlice<UInt8>, body: ArraySlice<UInt8>) -> Progress {
    guard head.allSatisfy({ $0 >= 0x20 && $0 != 0x7f || "\r\n\t".utf8.contains($0) }) else {
      return .refused(status: 400)
    }
    let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n")
    let words = lines[0].split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 3, words[2].hasPrefix("HTTP/1."), words[1].hasPrefix("/"),
      words[1].utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "#") })
    else { return .refused(status: 400) }

    var fields: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":"), colon != line.startIndex else {
        return .refused(status: 400)
      }
      let name = line[..<colon].lowercased()
      let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
      let isNew = fields.updateValue(String(value), forKey: name) == nil
      // Two of these would leave it open which one counts.
      guard isNew || !["host", "content-length", "transfer-encoding"].contains(name) else {
        return .refused(status: 400)
      }
    }
    guard let host = fields["host"] else { return .refused(status: 400) }
    guard fields["transfer-encoding"] == nil else { return .refused(status: 411) }
    let lengthText = fields["content-length"] ?? "0"
    guard let length = Int(lengthText), length >= 0, lengthText.first != "+" else {
      return .refused(status: 400)
    }
    guard length <= maximumBody else { return .refused(status: 413) }
    guard body.count >= length else { return .incomplete }
    let type = (fields["content-type"] ?? "").prefix { $0 != ";" && $0 != " " }.lowercased()
    return .complete(
      LoopbackRequest(
        method: String(words[0]), target: String(words[1]), host: host, contentType: type,
        body: Array(body.prefix(length))))
  }
}
