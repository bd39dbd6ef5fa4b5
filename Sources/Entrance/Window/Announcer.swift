import Gtk

/// Has a screen reader say texts, as soon as their window is in the foreground.
@MainActor
final class Announcer {
  private let window: Window
  private var waiting: [String] = []
  private var introduction: Task<Void, Never>?
  /// Whether screen readers know the window.
  private var isKnown = false

  /// Creates an announcer for `window`.
  init(window: Window) {
    self.window = window
    window.onForeground { [weak self] in self?.comeToForeground() }
    // Without a focused widget, nothing could be said.
    window.onFocusChange { [weak self] in
      guard self?.waiting.isEmpty == false else { return }
      MainLoop.whenIdle { self?.speak() }
    }
  }

  /// Says `text`, after those before it.
  func announce(_ text: String) {
    waiting.append(text)
    speak()
  }

  private func comeToForeground() {
    guard !isKnown else {
      // Not before the screen reader says which window came to the foreground.
      return MainLoop.whenIdle { [weak self] in self?.speak() }
    }
    introduction =
      introduction
      ?? Task { [weak self] in
        // GTK 4.8 connects to screen readers only after it has told of the first focus.
        try? await Task.sleep(for: .seconds(1))
        if await ScreenReader.isRunning() {
          self?.tellFocus()
          // Until that is said: an announcement takes the place of the widget's description.
          try? await Task.sleep(for: .milliseconds(300))
        }
        self?.introduce()
      }
  }

  /// Has a screen reader notice what has the focus.
  ///
  /// That hides what is proposed for a text, so not without need.
  private func tellFocus() { if window.isActive { window.focusAgain() } }

  private func introduce() {
    isKnown = true
    speak()
  }

  private func speak() {
    guard isKnown, window.isActive, window.focusedWidget != nil else { return }
    for text in waiting { window.announce(text) }
    waiting = []
  }
}

/// Has a screen reader say what comes of a text, once typing pauses.
@MainActor
final class TypingAnnouncer {
  private let announce: @MainActor (String) -> Void
  private var said = ""
  private var pause: Task<Void, Never>?

  /// Creates one that says texts with `announce`.
  init(_ announce: @escaping @MainActor (String) -> Void) { self.announce = announce }

  /// Says `result` in a moment, unless it was said last, or there is another one by then; empty for
  /// none.
  func say(_ result: String) {
    pause?.cancel()
    pause = Task { [weak self] in
      try? await Task.sleep(for: .seconds(1))
      guard !Task.isCancelled, let self, result != said else { return }
      said = result
      if !result.isEmpty { announce(result) }
    }
  }
}

extension Label {
  /// Shows a problem as an alert, which screen readers say; nil for none.
  ///
  /// - Parameter isAnswer: whether it is said even if it is shown already, because the person has
  ///   tried again.
  func show(problem: String?, isAnswer: Bool = false) {
    show(problem, isAnswer: isAnswer, isSaid: ScreenReader.saysNewAlerts && !isVisible)
  }

  /// Shows a result, which has the role of a status, so that screen readers do not say it by
  /// themselves; nil for none.
  func show(result: String?, isAnswer: Bool = false) {
    show(result, isAnswer: isAnswer, isSaid: false)
  }

  private func show(_ new: String?, isAnswer: Bool, isSaid: Bool) {
    let before = isVisible ? text : nil
    text = new ?? ""
    isVisible = new != nil
    if let new, !isSaid, isAnswer || new != before { window?.announce(new) }
  }
}
