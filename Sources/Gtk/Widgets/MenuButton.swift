import CGtk

/// A button that opens a popover.
@MainActor
public final class MenuButton: Widget {
  override class var type: GType { gtk_menu_button_get_type() }

  /// Closes the popover.
  public func close() { gtk_menu_button_popdown(opaque) }
}
