import CGtk

/// Shows a part of something large.
@MainActor
public final class ScrolledWindow: Widget {
  override class var type: GType { gtk_scrolled_window_get_type() }

  /// Which part it shows, from top to bottom.
  public var verticalAdjustment: Adjustment {
    Adjustment(borrowing: gtk_scrolled_window_get_vadjustment(opaque))
  }
}
