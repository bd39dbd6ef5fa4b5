public import FoundationEssentials
public import Sentences

/// A JSON syntax error, and where it is.
public struct JSONError: Error, Sendable, Equatable {
  /// The line, counted from 1.
  public var line: Int
  /// The column in bytes, counted from 1.
  public var column: Int
  /// What is wrong, without a final period: "a comma or ']' is missing".
  public var reason: Sentence
}

extension JSONError {
  /// Creates an error at the byte at `position`.
  init(at position: Int, in bytes: Span<UInt8>, _ reason: Sentence) {
    var (line, column) = (1, 1)
    for index in 0..<min(position, bytes.count) {
      let endsLine = bytes[index] == UInt8(ascii: "\n")
      line += endsLine ? 1 : 0
      column = endsLine ? 1 : column + 1
    }
    self.init(line: line, column: column, reason: reason)
  }
}

extension JSONError: CustomStringConvertible {
  /// Where it is and what is wrong, in a sentence.
  public var description: String {
    "The JSON is invalid in line \(line), column \(column): \(reason)."
  }
}

extension JSONError: LocalizedError {
  /// The description, which is also `localizedDescription`.
  public var errorDescription: String? { description }
}
