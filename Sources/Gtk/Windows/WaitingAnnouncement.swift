import CGtk

/// What a window has a screen reader say as soon as it is in the foreground, such as a toast that
/// appears while a dialog over the window closes.
///
/// Only the last text counts, and only for a moment: whoever comes back later finds in the window
/// what has become of it.
@MainActor
final class WaitingAnnouncement {
  /// How long a text is news.
  private static let moment = Duration.seconds(10)
  private static let key = "entrance-waiting-announcement"

  private var text = ""
  private var end = ContinuousClock.now

  /// That of `window`.
  static func of(_ window: Window) -> WaitingAnnouncement {
    let object: UnsafeMutablePointer<GObject> = window.ptr()
    if let data = g_object_get_data(object, key) {
      return Unmanaged<WaitingAnnouncement>.fromOpaque(data).takeUnretainedValue()
    }
    let waiting = WaitingAnnouncement()
    g_object_set_data_full(
      object, key, Unmanaged.passRetained(waiting).toOpaque(),
      { data in
        if let data { Unmanaged<WaitingAnnouncement>.fromOpaque(data).release() }
      })
    // The handler belongs to the window, so the pointer outlives it.
    let raw = window.raw
    window.onForeground { if let text = waiting.take() { Window(borrowing: raw).announce(text) } }
    return waiting
  }

  /// Waits with `text`, in place of what waits already.
  func set(_ text: String) {
    self.text = text
    end = ContinuousClock.now + Self.moment
  }

  /// What is to be said now; nil if there is nothing, or it is no news any more.
  private func take() -> String? {
    defer { text = "" }
    return text.isEmpty || end < ContinuousClock.now ? nil : text
  }
}
