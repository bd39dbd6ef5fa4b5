/// Parses an `os-release` file: lines of `NAME=value`, with quotes as in a shell (os-release(5)).
public struct OSRelease: Sendable {
  private var values: [String: String] = [:]

  /// Parses `text`.
  ///
  /// Comments and malformed lines are skipped; the last of several lines with one name counts.
  public init(_ text: String) {
    for line in text.split(whereSeparator: \.isNewline) {
      guard !line.hasPrefix("#"), let sign = line.firstIndex(of: "=") else { continue }
      values[String(line[..<sign])] = Self.unquoted(line[line.index(after: sign)...])
    }
  }

  /// The value of `name`; nil when there is none, or it is empty.
  public subscript(name: String) -> String? { values[name].flatMap { $0.isEmpty ? nil : $0 } }

  private static func unquoted(_ text: Substring) -> String {
    var text = text
    let quote = text.first
    if let quote, "\"'".contains(quote), text.count > 1, text.last == quote {
      text = text.dropFirst().dropLast()
    }
    guard quote != "'" else { return String(text) }
    var result = ""
    var isEscaped = false
    for character in text {
      if character == "\\", !isEscaped {
        isEscaped = true
      } else {
        result.append(character)
        isEscaped = false
      }
    }
    return result
  }
}
