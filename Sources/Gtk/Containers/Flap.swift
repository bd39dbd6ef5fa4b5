import CGtk

/// A pane beside the content, or above it where there is no room for both.
@MainActor
public final class Flap: Widget {
  override class var type: GType { adw_flap_get_type() }

  /// Whether the pane is shown.
  public var isRevealed: Bool {
    get { adw_flap_get_reveal_flap(opaque) != 0 }
    set { adw_flap_set_reveal_flap(opaque, newValue ? 1 : 0) }
  }

  /// Calls `handler` when the pane is shown or hidden, whatever does that: also Escape, a swipe, and a
  /// click beside a pane that is above the content.
  ///
  /// A pane that is hidden has the keyboard focus until it is gone from the screen.
  public func onChange(_ handler: @escaping @MainActor () -> Void) {
    connect("notify::reveal-flap", handler)
  }

  /// Whether the pane is above the content.
  public var isFolded: Bool { adw_flap_get_folded(opaque) != 0 }
}
