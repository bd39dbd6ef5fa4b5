import CurlHTTP

/// The text of an error that was copied from another program.
public struct CopiedError: Sendable {
  /// How much of the text is read, in bytes: more than any error has.
  static let limit = 64 << 10

  private let bytes: [UInt8]

  /// Reads `text`, but for what is beyond the limit.
  public init(_ text: String) {
    bytes = text.utf8.prefix(Self.limit).map(\.lowercased)
  }

  /// The numbers of Microsoft's sign-in service in it, each once: `AADSTS50076`, `error?code=50076`,
  /// `"error_codes":[50076]`, or nothing but a number.
  public var numbers: [Int] {
    let words = bytes.split { $0 == 0x20 || (0x09...0x0d).contains($0) }
    if words.count == 1, words[0].allSatisfy(\.isDigit) {
      return number(at: words[0].startIndex)
    }
    var numbers: [Int] = []
    for mark in ["aadsts", "error?code=", "\"error_codes\":[", "\"error_codes\": ["] {
      for position in bytes.places(of: mark) {
        for number in number(at: position + mark.utf8.count) where !numbers.contains(number) {
          numbers.append(number)
        }
      }
    }
    return numbers
  }

  /// The number whose first digit is at `position`; none when it is not one of the service's.
  private func number(at position: Int) -> [Int] {
    let digits = bytes[position...].prefix(while: \.isDigit)
    guard (5...8).contains(digits.count) else { return [] }
    return Int(String(decoding: digits, as: UTF8.self)).map { [$0] } ?? []
  }

  /// Whether it contains `phrase`, in any case, and as whole words.
  func contains(_ phrase: String) -> Bool {
    bytes.places(of: phrase.lowercased()).contains { position in
      let end = position + phrase.utf8.count
      return (position == 0 || !Self.isWord(bytes[position - 1]))
        && (end == bytes.count || !Self.isWord(bytes[end]))
    }
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    byte.isAlphanumeric || byte == UInt8(ascii: "_")
  }
}
