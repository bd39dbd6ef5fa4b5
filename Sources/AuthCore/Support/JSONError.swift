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

extension JSONError: LocalizedError {
  /// Where it is and what is wrong, in a sentence, which is also `localizedDescription`.
  public var errorDescription: String? {
    "The JSON is invalid in line \(line), column \(column): \(reason)."
  }
}
