import AuthCore

/// The text of an error that was copied from another program.
public struct CopiedError: Sendable {
  /// How much of the text is read, in bytes: more than any error has.
  static let limit = 64 << 10

  private let bytes: [UInt8]

  /// Reads `text`, but for what is beyond the limit.
  public init(_ text: String) {
    bytes = text.utf8.prefix(Self.limit).map { byte in
      (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
  }

  /// The numbers of Microsoft's sign-in service in it, each once: `AADSTS50076`, `error?code=50076`,
  /// `"error_codes":[50076]`, or nothing but a number.
  public var numbers: [Int] {
    let words = bytes.split { $0 == 0x20 || (0x09...0x0d).contains($0) }
    if words.count == 1, words[0].allSatisfy(Self.isDigit) {
      return number(at: words[0].startIndex)
    }
    var numbers: [Int] = []
    for mark in ["aadsts", "error?code=", "\"error_codes\":[", "\"error_codes\": ["] {
      for position in positions(of: mark) {
        for number in number(at: position + mark.utf8.count) where !numbers.contains(number) {
          numbers.append(number)
        }
      }
    }
    return numbers
  }

  /// The number whose first digit is at `position`; none when it is not one of the service's.
  private func number(at position: Int) -> [Int] {
    let digits = bytes[position...].prefix(while: Self.isDigit)
    guard (5...8).contains(digits.count) else { return [] }
    return Int(String(decoding: digits, as: UTF8.self)).map { [$0] } ?? []
  }

  /// Whether it contains `phrase`, in any case, and as whole words.
  func contains(_ phrase: String) -> Bool {
    positions(of: phrase.lowercased()).contains { position in
      let end = position + phrase.utf8.count
      return (position == 0 || !Self.isWord(bytes[position - 1]))
        && (end == bytes.count || !Self.isWord(bytes[end]))
    }
  }

  /// Where `phrase` begins.
  private func positions(of phrase: String) -> [Int] {
    let phrase = Array(phrase.utf8)
    guard let first = phrase.first, bytes.count >= phrase.count else { return [] }
    return bytes.indices.dropLast(phrase.count - 1).filter { index in
      bytes[index] == first && bytes[index..<(index + phrase.count)].elementsEqual(phrase)
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    isDigit(byte) || byte == UInt8(ascii: "_")
      || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
  }
}
