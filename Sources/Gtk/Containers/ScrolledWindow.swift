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

/// The visible part of scrollable content, in pixels.
@MainActor
public final class Adjustment: Object {
  /// The start of the visible part.
  public var value: Double {
    get { gtk_adjustment_get_value(ptr()) }
    set { gtk_adjustment_set_value(ptr(), newValue) }
  }

  /// The start of the visible part when scrolled to the end.
  public var end: Double { gtk_adjustment_get_upper(ptr()) - gtk_adjustment_get_page_size(ptr()) }

  /// Calls `handler` whenever the content is scrolled.
  public func onMove(_ handler: @escaping @MainActor () -> Void) {
    connect("value-changed", handler)
  }

  /// Calls `handler` whenever the size of the content or the visible part changes.
  public func onResize(_ handler: @escaping @MainActor () -> Void) { connect("changed", handler) }
}
