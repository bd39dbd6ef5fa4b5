public import Sentences

/// Why a text is not JSON, and where.
public struct JSONError: Error, Sendable, Equatable {
  /// The line, counted from 1.
  public var line: Int
  /// The column in bytes, counted from 1.
  public var column: Int
  /// What is wrong, without a full stop: "a comma or ']' is missing".
  public var reason: Sentence
}
