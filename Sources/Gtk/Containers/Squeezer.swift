import CGtk

/// Several widgets, of which the first is shown that there is room for.
@MainActor
public final class Squeezer: Widget {
  override class var type: GType { adw_squeezer_get_type() }

  /// The child that is shown.
  public var visibleChild: Widget? {
    adw_squeezer_get_visible_child(opaque).map { Widget(borrowing: $0) }
  }

  /// Sets whether one of its widgets can be shown.
  public func set(_ child: Widget, isEnabled: Bool) {
    adw_squeezer_page_set_enabled(
      adw_squeezer_get_page(opaque, child.widget), isEnabled ? 1 : 0)
  }

  /// Calls `handler` when another child is shown.
  public func onChange(_ handler: @escaping @MainActor () -> Void) {
    connect("notify::visible-child", handler)
  }
}
