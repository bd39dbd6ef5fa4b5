import EntranceKit
import FoundationEssentials
import Gtk

/// The log: scrolls to its end unless the user scrolled up, and can be copied.
@MainActor
final class LogView {
  private let view: TextView
  private let buffer: TextBuffer
  private let plain: TextTag
  private let adjustment: Adjustment
  private let emptyLabel: Label
  private let jumpButton: Button
  private let localTime = LocalTime()
  private let scroller: ScrolledWindow
  private let preferences: Preferences
  private var preferencesObserver: Observer?
  private var observer: Observer?
  private var followsEnd = true
  private var lastValue = 0.0
  private var lastWidth = 0
  private var hasGrown = false
  private var isSettling = false

  /// Takes its widgets from `builder`.
  init(builder: Builder, preferences: Preferences) {
    self.preferences = preferences
    view = builder.object("log_view")
    buffer = view.buffer
    plain = buffer.addTag()
    // A token that spans several lines must not appear to contain hyphens.
    plain.breakWithoutHyphens()
    scroller = builder.object("log_scroller")
    adjustment = scroller.verticalAdjustment
    emptyLabel = builder.object("empty_label")
    jumpButton = builder.object("jump_button")

    // JSON, URLs and tokens are written left to right in every language.
    view.isRightToLeft = false
    adjustment.onMove { [weak self] in self?.hasMoved() }
    adjustment.onResize { [weak self] in
      self?.hasGrown = true
      self?.settleSoon()
    }
    jumpButton.onClick { [weak self] in self?.jumpToLatest() }
    preferencesObserver = preferences.changes.add { [weak self] in
      if $0 == .logTextSize || $0 == .wrapsLog { self?.applyPreferences() }
    }
    applyPreferences()
  }

  private func applyPreferences() {
    plain.setScale(Double(preferences.logTextSize) / 100)
    view.wraps = preferences.wrapsLog
    scroller.scrollSideways(!preferences.wrapsLog)
  }

  /// Whether the log is empty.
  var isEmpty: Bool { buffer.isEmpty }

  /// All of its text.
  var text: String { buffer.text }

  /// Whether it has the keyboard focus, or will get it when the window comes to the foreground.
  var hasFocus: Bool { view.hasFocus }

  /// Takes the keyboard focus.
  func focus() { view.grabFocus() }

  /// Leaves room for toasts below the last line.
  func makeRoomForToasts(_ makes: Bool) {
    view.bottomMargin = makes ? Self.toastMargin : Self.margin
  }

  private static let margin = 9
  private static let toastMargin = 72

  /// Shows only the log of `model` from now on.
  func follow(_ model: AccountModel?) {
    show(.replaced([]))
    observer = model?.logChanges.add { [weak self] in self?.show($0) }
  }

  private func show(_ change: LogChange) {
    switch change {
    case .added(let entry): insert((isEmpty ? "" : "\n") + line(entry))
    case .replaced(let entries):
      buffer.clear()
      followsEnd = true
      insert(entries.map(line).joined(separator: "\n"))
    }
  }

  private func insert(_ text: String) {
    buffer.append(text, tag: plain)
    emptyLabel.isVisible = isEmpty
  }

  private func line(_ entry: LogEntry) -> String {
    "\(localTime.timeOfDay(at: Int64(entry.date.timeIntervalSince1970)))  \(entry.text)"
  }

  // MARK: Following the end

  // GTK measures lines in several steps, and moves the view meanwhile. What the user did can be
  // determined only afterwards.

  /// Handles a move up, which may coincide with new lines.
  ///
  /// New lines never move the view up, though a new width can. Otherwise, the user scrolled.
  private func hasMoved() {
    let (value, width) = (adjustment.value, view.width)
    if value < lastValue, value < adjustment.end - 1, width == lastWidth { followsEnd = false }
    (lastValue, lastWidth) = (value, width)
    settleSoon()
  }

  private func settleSoon() {
    guard !isSettling else { return }
    isSettling = true
    MainLoop.whenIdle { [weak self] in
      self?.isSettling = false
      self?.settle()
    }
  }

  private func settle() {
    if hasGrown, followsEnd {
      adjustment.value = adjustment.end
    } else {
      followsEnd = adjustment.value >= adjustment.end - 1
    }
    hasGrown = false
    jumpButton.isVisible = !followsEnd
  }

  private func jumpToLatest() {
    followsEnd = true
    hasGrown = true
    settleSoon()
    // The button is hidden, so move the focus from it.
    focus()
  }
}
