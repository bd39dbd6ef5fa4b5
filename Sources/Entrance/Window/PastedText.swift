import Gtk

/// Reads what is typed or pasted into a text view, and shows no more than the beginning of a long
/// text: GTK's time grows with the square of the length of a line.
@MainActor
final class PastedText {
  private let buffer: TextBuffer
  private let read: @MainActor (String) -> String?
  /// The part of the text that is not shown.
  private var rest = ""
  /// What is shown in place of the text.
  private var replacement: String?
  /// Whether what is shown changes soon.
  private var isScheduled = false
  /// Whether it changes what is shown itself.
  private var isDrawing = false

  /// A longer text, in bytes, is shown only up to ``shownLength``, which leaves room for edits.
  private static let longestShown = 12_000
  /// How much of a long text is shown, in bytes.
  private static let shownLength = 10_000
  /// Stands for the rest, until it is deleted.
  private static let mark: Character = "…"

  /// - Parameter read: gets the whole text after each change, and returns what to show in its place;
  ///   nil for the text itself.
  init(of view: TextView, read: @escaping @MainActor (String) -> String?) {
    buffer = view.buffer
    self.read = read
    buffer.onChange { [weak self] in self?.follow() }
  }

  private func follow() {
    guard !isDrawing else { return }
    let shown = buffer.text
    replacement = read(whole(shown))
    guard !isScheduled, replacement != nil || shown.utf8.count > Self.longestShown else { return }
    isScheduled = true
    // A paste is a user action of the buffer, in which its text cannot be replaced.
    Task { [weak self] in self?.draw() }
  }

  private func draw() {
    isScheduled = false
    let shown = buffer.text
    let text = whole(shown)
    if let text = replacement.take() {
      rest = ""
      show(text)
    } else if shown.utf8.count > Self.longestShown {
      let end = text.utf8.index(text.startIndex, offsetBy: Self.shownLength)
      rest = String(text[end...])
      show("\(text[..<end])\(Self.mark)")
    }
  }

  /// The text with the rest where its mark is: people type before and after it.
  private func whole(_ shown: String) -> String {
    guard !rest.isEmpty, let mark = shown.lastIndex(of: Self.mark) else {
      rest = ""
      return shown
    }
    return shown[..<mark] + rest + shown[shown.index(after: mark)...]
  }

  private func show(_ text: String) {
    isDrawing = true
    buffer.set(text)
    isDrawing = false
  }
}
