import CGtk

/// A scrollable container.
@MainActor
public final class ScrolledWindow: Widget {
  override class var type: GType { gtk_scrolled_window_get_type() }

  /// Its vertical position.
  public var verticalAdjustment: Adjustment {
    Adjustment(borrowing: gtk_scrolled_window_get_vadjustment(opaque))
  }

  /// Whether it can be scrolled sideways.
  public func scrollSideways(_ can: Bool) {
    gtk_scrolled_window_set_policy(
      opaque, can ? GTK_POLICY_AUTOMATIC : GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
  }
}
