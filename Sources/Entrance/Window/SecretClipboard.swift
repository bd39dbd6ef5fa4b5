import EntranceKit
import Gtk
import Localization

/// Copies secrets, and empties the clipboard after a while, or when the program ends before.
@MainActor
final class SecretClipboard {
  private let preferences: Preferences
  /// What is to be cleared.
  private var secret: CopiedSecret?
  /// Clears it later.
  private var timer: Task<Void, Never>?

  /// - Parameter preferences: says when.
  init(_ preferences: Preferences) {
    self.preferences = preferences
  }

  /// Copies `text` to the clipboard of `widget`, which clipboard managers are asked not to keep.
  ///
  /// - Parameter message: what was copied, for people, without a final period.
  /// - Returns: the same, with when the clipboard is emptied, if it is.
  func copy(_ text: String, from widget: Widget, saying message: String) -> String {
    let copied = widget.copyToClipboard(text, isSecret: true)
    let limit = preferences.clipboardLimit
    timer?.cancel()
    secret = limit > 0 ? copied : nil
    guard secret != nil else { return message }
    timer = Task { [weak self] in
      try? await Task.sleep(for: .seconds(limit))
      if !Task.isCancelled { self?.clear() }
    }
    return tr(
      .plural(
        "{message}. The clipboard will be cleared in {count} second.",
        "{message}. The clipboard will be cleared in {count} seconds.", count: limit,
        ["message": message]))
  }

  /// Empties the clipboard now, unless something else was copied since.
  ///
  /// The desktop takes over what a program that ends leaves on the clipboard.
  func clear() {
    timer?.cancel()
    secret.take()?.clear()
  }
}
