/// A request that came to the loopback listener.
package struct LoopbackRequest: Sendable, Equatable {
  /// The method, such as `GET`.
  package var method: String
  /// The path and query that are asked for.
  package var target: String
  /// The header fields, by their names in lower case; of several with one name, the last.
  package var fields: [String: String]
  /// The body.
  package var body: [UInt8] = []

  /// The `Host` field, which every request has.
  package var host: String { fields["host"] ?? "" }
  /// The media type of the body, in lower case and without parameters.
  var contentType: String {
    (fields["content-type"] ?? "").prefix { $0 != ";" && $0 != " " }.lowercased()
  }
}

/// Puts a request together from the pieces in which it comes (RFC 9112).
///
/// Only what a browser sends for a redirect, or a program to ask for a token, is understood. Whatever
/// is unclear about where the request ends is refused.
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

  private static let lineEnd = Array("\r\n".utf8)
  private static let headEnd = Array("\r\n\r\n".utf8)

  private var bytes: [UInt8] = []
  /// How many bytes were searched for the head's end, so that none is looked at for every byte behind it.
  private var searched = 0
  /// The request without its body, where that begins, and how long it is.
  private var head: (request: LoopbackRequest, bodyStart: Int, bodyLength: Int)?

  /// Takes in the next piece.
  mutating func take(_ piece: some Collection<UInt8>) -> Progress {
    bytes += piece
    if head == nil {
      guard let end = endOfHead() else {
        return bytes.count > Self.maximumHead ? .refused(status: 431) : .incomplete
      }
      guard end <= Self.maximumHead else { return .refused(status: 431) }
      do throws(Refusal) {
        let (request, length) = try Self.parse(head: bytes[..<end])
        head = (request, end + Self.headEnd.count, length)
      } catch {
        return .refused(status: error.status)
      }
    }
    guard let head, bytes.count - head.bodyStart >= head.bodyLength else { return .incomplete }
    var request = head.request
    request.body = Array(bytes[head.bodyStart...].prefix(head.bodyLength))
    return .complete(request)
  }

  private mutating func endOfHead() -> Int? {
    let start = max(0, searched - Self.headEnd.count + 1)
    searched = bytes.count
    return bytes[start...].firstRange(of: Self.headEnd)?.lowerBound
  }

  private struct Refusal: Error {
    let status: Int
  }

  /// Reads a head: the request without its body, and how long that is.
  private static func parse(
    head: ArraySlice<UInt8>
  ) throws(Refusal) -> (request: LoopbackRequest, bodyLength: Int) {
    let malformed = Refusal(status: 400)
    let lines = head.split(separator: lineEnd)
    // What is left of line ends is none of HTTP's.
    guard lines.allSatisfy({ $0.allSatisfy { $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 } }),
      let words = lines.first?.split(separator: 0x20, omittingEmptySubsequences: false),
      words.count == 3, words[2].starts(with: "HTTP/1.".utf8), words[1].starts(with: "/".utf8),
      words[1].allSatisfy({ $0.isVisibleASCII && $0 != UInt8(ascii: "#") })
    else { throw malformed }

    var fields: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon != line.startIndex else {
        throw malformed
      }
      let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
      let value = line[line.index(after: colon)...].drop { $0 == 0x20 || $0 == 0x09 }
      let isNew = fields.updateValue(String(decoding: value, as: UTF8.self), forKey: name) == nil
      // Two of these would leave it open which one counts.
      guard isNew || !["host", "content-length", "transfer-encoding"].contains(name) else {
        throw malformed
      }
    }
    guard fields["host"] != nil else { throw malformed }
    guard fields["transfer-encoding"] == nil else { throw Refusal(status: 411) }
    let lengthText = fields["content-length"] ?? "0"
    guard let length = Int(lengthText), length >= 0, lengthText.first != "+" else {
      throw malformed
    }
    guard length <= maximumBody else { throw Refusal(status: 413) }
    let request = LoopbackRequest(
      method: String(decoding: words[0], as: UTF8.self),
      target: String(decoding: words[1], as: UTF8.self), fields: fields)
    return (request, length)
  }
}
