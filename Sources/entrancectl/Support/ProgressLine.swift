import Glibc
import MicrosoftGraph
import Sentences

/// A line on the terminal that says how far a transfer is; nothing when no terminal is there.
struct ProgressLine {
  private let isShown = isatty(STDERR_FILENO) != 0
  private var last: ContinuousClock.Instant?

  /// Shows how far it is, ten times a second.
  mutating func show(_ progress: GraphProgress) {
    let done = Self.megabytes(progress.completed)
    guard let total = progress.total else { return show(Sentence("{done} MB", ["done": done])) }
    show(Sentence("{done} MB of {total} MB", ["done": done, "total": Self.megabytes(total)]))
  }

  /// Shows a percentage, ten times a second.
  mutating func show(percentage: Double) {
    show(Sentence("{number} %", ["number": String(Int(percentage))]))
  }

  /// Shows how many items have come, ten times a second.
  mutating func show(items count: Int) {
    show(Sentence.plural("{count} item", "{count} items", count: count))
  }

  private mutating func show(_ sentence: Sentence) {
    let now = ContinuousClock.now
    if let last, now - last < .milliseconds(100) { return }
    guard isShown else { return }
    last = now
    Output.writeError("\r\u{1B}[K" + Line(sentence).text)
  }

  /// Removes the line.
  func clear() {
    if last != nil { Output.writeError("\r\u{1B}[K") }
  }

  private static func megabytes(_ bytes: Int) -> String {
    // Tenths, without a formatter's rounding up to a size that it has not yet.
    "\(bytes / 1_000_000).\(bytes / 100_000 % 10)"
  }
}
