import EntranceKit
import Gtk

/// Copies secrets, and empties the clipboard after a while.
@MainActor
final class SecretClipboard {
  private let preferences: Preferences
  /// Empties the clipboard later.
  private var timer: Task<Void, Never>?

  /// - Parameter preferences: says when.
  init(_ preferences: Preferences) {
    self.preferences = preferences
  }

  /// Copies `text` to the clipboard of `widget`, which clipboard managers are asked not to keep.
  ///
  /// - Returns: in how many seconds the clipboard is emptied; nil for never.
  func copy(_ text: String, from widget: Widget) -> Int? {
    let secret = widget.copyToClipboard(text, isSecret: true)
    let limit = preferences.clipboardLimit
    timer?.cancel()
    guard let secret, limit > 0 else { return nil }
    timer = Task {
      try? await Task.sleep(for: .seconds(limit))
      if !Task.isCancelled { secret.clear() }
    }
    return limit
  }
}
