public import FoundationEssentials

/// One line of the log, or several when it holds JSON.
public struct LogEntry: Sendable, Equatable {
  /// When it was written.
  public var date: Date
  /// What the log shows: tokens are shortened unless the person asked for full ones.
  public var text: String

  /// Creates an entry.
  public init(date: Date, text: String) {
    self.date = date
    self.text = text
  }
}
