import CGtk

/// Which part of something large is in sight, in pixels.
@MainActor
public final class Adjustment: Object {
  /// Where the part begins.
  public var value: Double {
    get { gtk_adjustment_get_value(ptr()) }
    set { gtk_adjustment_set_value(ptr(), newValue) }
  }

  /// Where the last part begins.
  public var end: Double { gtk_adjustment_get_upper(ptr()) - gtk_adjustment_get_page_size(ptr()) }

  /// Runs `handler` whenever another part comes in sight.
  public func onMove(_ handler: @escaping @MainActor () -> Void) {
    connect("value-changed", handler)
  }

  /// Runs `handler` whenever the whole or the part has another size.
  public func onResize(_ handler: @escaping @MainActor () -> Void) { connect("changed", handler) }
}
