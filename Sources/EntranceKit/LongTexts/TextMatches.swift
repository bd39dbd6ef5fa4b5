import Localization

/// The places of a text that is looked for, and which of them is selected.
public struct TextMatches: Sendable, Equatable {
  /// The number of the selected one, from 1.
  public let number: Int
  /// How many there are.
  public let count: Int

  /// Creates the value of a place that is selected.
  public init(number: Int, count: Int) {
    // What counts as the same letter can be another thing for who has found the place.
    self.number = max(number, 1)
    self.count = max(count, self.number)
  }

  /// Both in words.
  public var text: String {
    tr("Match {number} of {count}", ["number": number, "count": count])
  }

  /// How many bytes are searched at once, at least.
  private static let pieceSize = 1 << 20

  /// Counts the places of `words` in `text`, in any case, without those that overlap, on another thread
  /// than the caller's.
  ///
  /// - Parameter words: have no line break.
  /// - Returns: an incomplete count when the task is canceled.
  @concurrent
  public static func count(_ words: String, in text: String) async -> Int {
    let words = Array(words.lowercased().utf8)
    guard !words.isEmpty else { return 0 }
    var (count, rest) = (0, Substring(text).utf8)
    while !rest.isEmpty, !Task.isCancelled {
      let far =
        rest.index(rest.startIndex, offsetBy: pieceSize, limitedBy: rest.endIndex)
        ?? rest.endIndex
      // A place is in one line.
      let end = rest[far...].firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
      let piece = Array(String(Substring(rest[..<end])).lowercased().utf8)
      count += piece.ranges(of: words).count
      rest = rest[end...]
    }
    return count
  }
}

extension FoldedText.Slices {
  /// Counts the places of `words` in what is left, like ``TextMatches/count(_:in:)``.
  @concurrent
  public func count(_ words: String) async -> Int { await TextMatches.count(words, in: whole) }
}
