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
        self?.introduce()
      }
  }

  private func introduce() {
    isKnown = true
    guard window.isActive else { return }
    window.focusAgain()
    speak()
  }

  private func speak() {
    guard isKnown, window.isActive, window.focusedWidget != nil else { return }
    for text in waiting { window.announce(text) }
    waiting = []
  }
}
