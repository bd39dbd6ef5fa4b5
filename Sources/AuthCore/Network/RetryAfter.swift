import CurlHTTP
package import FoundationEssentials
import HTTPTypes

/// How long a server asks to wait (RFC 9110, section 10.2.3).
package enum RetryAfter {
  /// The longest accepted pause, in seconds.
  static let longest = 3600.0
  /// The pause after 429 and 5xx when the server sends none, in seconds.
  static let usual = 60.0

  /// The pause that `reply` asks for, in seconds; nil for none.
  static func pause(of reply: HTTPReply, at date: Date) -> Double? {
    let field = reply.response.headerFields[.retryAfter]
    guard field != nil || reply.response.status.isOutage else { return nil }
    return field.flatMap { seconds($0, from: date) } ?? usual
  }

  /// The seconds from `date` in the field's text: a number, which may have a fraction, or a date;
  /// nil when it is neither.
  package static func seconds(_ text: String, from date: Date) -> Double? {
    let seconds: Double
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    if parts.count <= 2, parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(isDigit) }) {
      guard let number = Double(text) else { return nil }
      seconds = number
    } else {
      guard let time = HTTPDate.date(text, near: date) else { return nil }
      seconds = time.timeIntervalSince(date)
    }
    return min(max(seconds, 0), longest)
  }

  private static func isDigit(_ character: Character) -> Bool {
    character.isASCII && character.isNumber
  }
}
