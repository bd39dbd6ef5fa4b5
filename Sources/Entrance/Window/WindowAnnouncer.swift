import Gtk

/// Has a screen reader say texts, as soon as their window is in the foreground.
@MainActor
final class WindowAnnouncer {
  private let window: Window
  private var waiting: [String] = []
  private var introduction: Task<Void, Never>?
  private var speaking: Task<Void, any Error>?
  /// Whether screen readers know the window.
  private var isKnown = false

  /// Creates an announcer for `window`.
  init(window: Window) {
    self.window = window
    window.onForeground { [weak self] in self?.comeToForeground() }
    window.onFocusChange { [weak self] in
      if self?.waiting.isEmpty == false { self?.speakSoon() }
    }
  }

  /// Says `text`, after those before it.
  func announce(_ text: String) {
    waiting.append(text)
    speakSoon()
  }

  /// Speaks once the focus stays where it is: without announcements, what is said belongs to the
  /// focused widget, and is lost if the focus leaves it before the screen reader comes to it.
  private func speakSoon() {
    speaking?.cancel()
    speaking = Task { [weak self] in
      try await Task.sleep(for: .milliseconds(200))
      self?.speak()
    }
  }

  private func comeToForeground() {
    // Not before the screen reader says which window came to the foreground.
    guard !isKnown else { return speakSoon() }
    introduction =
      introduction
      ?? Task { [weak self] in
        // GTK 4.8 connects to screen readers only after it has told of the first focus.
        try? await Task.sleep(for: .seconds(2))
        if await ScreenReader.isRunning() {
          self?.tellFocus()
          // Until a busy screen reader has read it: an announcement takes the place of the widget's
          // description.
          try? await Task.sleep(for: .seconds(1))
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
