public import FoundationEssentials

/// An entry of the log: one line, or several when it contains JSON.
public struct LogEntry: Sendable, Equatable {
  /// When it was written.
  public let date: Date
  /// The formatted text, and what is shown of it at first.
  public let folded: FoldedText

  /// All of the text: tokens are shortened unless the user chose to show them in full.
  public var text: String { folded.whole }

  /// Creates an entry.
  public init(date: Date, folded: FoldedText) {
    self.date = date
    self.folded = folded
  }
}
