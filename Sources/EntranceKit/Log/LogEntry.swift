public import FoundationEssentials

/// An entry of the log: one line, or several when it contains JSON.
public struct LogEntry: Sendable, Equatable {
  /// When it was written.
  public var date: Date
  /// The formatted text: tokens are shortened unless the user chose to show them in full.
  public var text: String

  /// Creates an entry.
  public init(date: Date, text: String) {
    self.date = date
    self.text = text
  }
}
