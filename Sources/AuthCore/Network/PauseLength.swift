import CurlHTTP
package import FoundationEssentials
import HTTPTypes

/// How long nothing is sent after a server's response: as `Retry-After` asks (RFC 9110, section
/// 10.2.3), or for the usual time after a response that needs a pause and asks for none.
package enum PauseLength {
  /// The longest accepted pause, in seconds.
  static let longest = 3600.0
  /// The pause after 429 and 5xx when the server sends none, in seconds.
  static let withoutRetryAfter = 60.0

  /// The pause after `reply`, in seconds; nil for none.
  static func after(_ reply: HTTPReply, at date: Date) -> Double? {
    let field = reply.response.headerFields[.retryAfter]
    guard field != nil || reply.response.status.isOutage else { return nil }
    return field.flatMap { retryAfter($0, from: date) } ?? withoutRetryAfter
  }

  /// The seconds from `date` in the text of `Retry-After`: a number, which may have a fraction, or
  /// a date; nil when it is neither.
  package static func retryAfter(_ text: String, from date: Date) -> Double? {
    let seconds: Double
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    if parts.count <= 2, parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(\.isDigit) }) {
      guard let number = Double(text) else { return nil }
      seconds = number
    } else {
      guard let time = HTTPDate.date(text, near: date) else { return nil }
      seconds = time.timeIntervalSince(date)
    }
    return min(max(seconds, 0), longest)
  }
}
