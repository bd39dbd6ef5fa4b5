import CGtk

/// A bubble beside a widget.
@MainActor
public final class Popover: Widget {
  override class var type: GType { gtk_popover_get_type() }

  /// Calls `handler` whenever it is shown.
  public func onOpen(_ handler: @escaping @MainActor () -> Void) { connect("map", handler) }
}
