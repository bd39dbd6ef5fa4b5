/// A text of the log or an answer with what of it is shown at first: its beginning, and that of
/// long lines.
///
/// GTK needs a time for a line that grows with the square of its length, and keeps several times
/// the size of a text. So a view gets no long line and no large text at once, wherever it is from.
public struct FoldedText: Sendable, Equatable {
  /// A part of the text, in bytes of its UTF-8.
  public enum Part: Sendable, Equatable {
    /// Shown at first.
    case shown(Range<Int>)
    /// Shown only on request; here, the log says how much it is.
    case hidden(Range<Int>)
  }

  /// All of the text.
  public let whole: String
  /// The parts of a text that may have hidden ones; nil for a short text, of which there are many.
  private let folded: [Part]?

  /// The parts, in their order; together, they are the whole text.
  public var parts: [Part] {
    folded ?? (whole.isEmpty ? [] : [.shown(0..<whole.utf8.count)])
  }

  /// How many bytes of a text are shown at first.
  public static let shownAtFirst = 64 << 10
  /// The longest line, in bytes, that is shown as it is.
  public static let longestLine = 4096
  /// How many bytes of a longer line are shown, and how long the lines are into which it is broken.
  public static let shownOfLongLine = 1024

  /// Whether everything is shown at first.
  public var isWhole: Bool { hiddenSize == 0 }

  /// How many bytes are hidden.
  public var hiddenSize: Int {
    parts.reduce(0) {
      if case .hidden(let range) = $1 { $0 + range.count } else { $0 }
    }
  }

  /// Chooses what is shown of `text`.
  public init(_ text: String) {
    var text = text
    text.makeContiguousUTF8()
    whole = text
    folded =
      text.utf8.count <= Self.longestLine
      ? nil : text.utf8.withContiguousStorageIfAvailable { Self.parts(of: $0) }
  }

  private static func parts(of text: UnsafeBufferPointer<UInt8>) -> [Part] {
    var parts: [Part] = []
    // The start of what is shown next, and how much is shown already.
    var (start, size) = (0, 0)
    var position = 0
    func hide(_ range: Range<Int>) {
      if start < range.lowerBound { parts.append(.shown(start..<range.lowerBound)) }
      if !range.isEmpty { parts.append(.hidden(range)) }
      start = range.upperBound
    }
    while position < text.count {
      let lineEnd =
        text[position...].firstIndex(of: UInt8(ascii: "\n")) ?? text.count
      let isLong = lineEnd - position > longestLine
      let cut = isLong ? boundary(position + shownOfLongLine, in: text) : lineEnd
      // The rest is not worth a request if it is no longer than a line.
      guard size + cut - position <= shownAtFirst || text.count - position <= longestLine else {
        hide(position..<text.count)
        break
      }
      size += cut + 1 - position
      if isLong { hide(cut..<lineEnd) }
      position = lineEnd + 1
    }
    hide(text.count..<text.count)
    return parts
  }

  /// The end of the last complete character before `position`.
  fileprivate static func boundary(
    _ position: Int, in text: UnsafeBufferPointer<UInt8>
  ) -> Int {
    var end = position
    while end > 0, end < text.count, text[end] & 0xC0 == 0x80 { end -= 1 }
    return end
  }

  /// The characters of a part.
  public func text(of range: Range<Int>) -> String {
    String(whole.utf8[index(range.lowerBound)..<index(range.upperBound)]) ?? ""
  }

  private func index(_ offset: Int) -> String.Index {
    whole.utf8.index(whole.startIndex, offsetBy: offset)
  }

  /// What is hidden in `range`, in slices whose long lines are broken into short ones.
  public func slices(of range: Range<Int>) -> Slices { Slices(text: self, rest: range) }

  /// The slices of a hidden part, each of which can be shown in a moment.
  public struct Slices: IteratorProtocol, Sendable {
    private let text: FoldedText
    private var rest: Range<Int>
    /// Whether the next line continues one that was broken.
    private var isContinued: Bool

    /// The most bytes of the text in a slice.
    static let size = 16 << 10

    fileprivate init(text: FoldedText, rest: Range<Int>) {
      self.text = text
      self.rest = rest
      isContinued =
        rest.lowerBound > 0
        && text.whole.utf8[text.index(rest.lowerBound - 1)] != UInt8(ascii: "\n")
    }

    /// How many bytes are left.
    public var remaining: Int { rest.count }

    /// What is left.
    var whole: String { text.text(of: rest) }

    /// How much of a text is searched at once, in bytes.
    private static let searchedAtOnce = 1 << 20

    /// Whether `words` are in what is left, in any case; looks for them on another thread than the
    /// caller's, because that can take seconds.
    @concurrent
    public func contains(_ words: String) async -> Bool {
      let words = words.lowercased().utf8
      // What is at the end of a piece is at the start of the next one again.
      let overlap = min(2 * words.count, Self.searchedAtOnce / 2)
      var start = rest.lowerBound
      while start < rest.upperBound, !Task.isCancelled {
        let end = min(start + Self.searchedAtOnce, rest.upperBound)
        let piece = text.whole.utf8[text.index(start)..<text.index(end)]
        let found = String(decoding: piece, as: UTF8.self).lowercased().utf8.firstRange(of: words)
        if found != nil { return true }
        start = end == rest.upperBound ? end : end - overlap
      }
      return false
    }

    /// The next slice; nil at the end.
    public mutating func next() -> String? {
      guard !rest.isEmpty else { return nil }
      let (slice, end, continues) =
        text.whole.utf8.withContiguousStorageIfAvailable {
          Self.slice($0, rest, isContinued: isContinued)
        } ?? ("", rest.upperBound, false)
      rest = end..<rest.upperBound
      isContinued = continues
      return slice
    }

    /// - Returns: the slice, where it ends, and whether its last line was broken there.
    private static func slice(
      _ text: UnsafeBufferPointer<UInt8>, _ rest: Range<Int>, isContinued: Bool
    ) -> (String, end: Int, isContinued: Bool) {
      var slice: [UInt8] = []
      var (position, isContinued) = (rest.lowerBound, isContinued)
      while position < rest.upperBound, position - rest.lowerBound < size {
        let limit = min(position + longestLine + 1, rest.upperBound)
        let lineEnd = text[position..<limit].firstIndex(of: UInt8(ascii: "\n"))
        // Only a line that is short as a whole stays in one piece.
        let isShort = lineEnd != nil || limit == rest.upperBound && limit - position <= longestLine
        var end = lineEnd.map { $0 + 1 } ?? limit
        if isContinued || !isShort, end - position > shownOfLongLine {
          end = max(boundary(position + shownOfLongLine, in: text), position + 1)
        }
        if isContinued, text[position] != UInt8(ascii: "\n") { slice += Array("\n… ".utf8) }
        slice += text[position..<end]
        isContinued = text[end - 1] != UInt8(ascii: "\n")
        position = end
      }
      return (String(decoding: slice, as: UTF8.self), position, isContinued)
    }
  }
}
