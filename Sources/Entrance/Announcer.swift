import Gtk

/// Has a screen reader say texts, as soon as their window is in the foreground.
@MainActor
final class Announcer {
  private let window: Window
  private var waiting: [String] = []

  /// Creates an announcer for `window`.
  init(window: Window) {
    self.window = window
    // Not before the screen reader says which window came to the foreground.
    window.onForeground { [weak self] in MainLoop.whenIdle { self?.speak() } }
  }

  /// Says `text`, after those before it.
  func announce(_ text: String) {
    waiting.append(text)
    speak()
  }

  private func speak() {
    guard window.isActive, window.focusedWidget != nil else { return }
    for text in waiting { window.announce(text) }
    waiting = []
  }
}
