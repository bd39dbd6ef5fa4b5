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
