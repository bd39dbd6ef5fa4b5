/// A piece of HTML.
///
/// Interpolated text is escaped; interpolated HTML is not.
struct HTML: Sendable, ExpressibleByStringInterpolation {
  let text: String

  init(stringLiteral value: String) { text = value }
  init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

  /// Collects the literal and interpolated parts.
  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    init(literalCapacity: Int, interpolationCount: Int) {}

    mutating func appendLiteral(_ literal: String) { text += literal }
    mutating func appendInterpolation(_ value: HTML) { text += value.text }
    mutating func appendInterpolation(_ values: [HTML]) { values.forEach { text += $0.text } }
    mutating func appendInterpolation(_ value: String) {
      for character in value.unicodeScalars {
        switch character {
        case "&": text += "&amp;"
        case "<": text += "&lt;"
        case ">": text += "&gt;"
        case "\"": text += "&quot;"
        case "'": text += "&#39;"
        default: text.unicodeScalars.append(character)
        }
      }
    }
  }
}
