import AuthCore
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
  /// `"error_codes":[50076]`, `error 50076`, or nothing but numbers.
  public var numbers: [Int] {
    let marked = markedNumbers
    return marked.isEmpty ? bareNumbers : marked
  }

  private var markedNumbers: [Int] {
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

  /// The numbers of a text that has nothing else, or known ones behind a word such as *error*: beside
  /// other words, a number can be anything, such as a port.
  private var bareNumbers: [Int] {
    let words = bytes.split(whereSeparator: Self.isBetweenWords).map(Self.withoutPunctuation)
    let wordsBefore = [ArraySlice<UInt8>()] + words
    let hasOnlyNumbers = words.allSatisfy { $0.allSatisfy(\.isDigit) }
    var numbers: [Int] = []
    for (word, last) in zip(words, wordsBefore) where word.allSatisfy(\.isDigit) {
      let isNamed = ["aadsts", "error", "code"].contains { last.elementsEqual($0.utf8) }
      for number in number(at: word.startIndex) where !numbers.contains(number) {
        guard hasOnlyNumbers || isNamed && ErrorGuidance(code: number) != nil else { continue }
        numbers.append(number)
      }
    }
    return numbers
  }

  private static func isBetweenWords(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || (0x09...0x0d).contains(byte) || byte == UInt8(ascii: ",")
      || byte == UInt8(ascii: ";")
  }

  private static func withoutPunctuation(_ word: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let marks = Array(".:()[]\"'".utf8)
    var word = word.drop(while: marks.contains)
    while let last = word.last, marks.contains(last) { word = word.dropLast() }
    return word
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
