import CGtk

/// A button that opens a popover.
@MainActor
public final class MenuButton: Widget {
  override class var type: GType { gtk_menu_button_get_type() }

  /// Closes the popover.
  public func close() { gtk_menu_button_popdown(opaque) }

  /// Lets its child take the whole width; GTK centers it.
  public func fillWidth() {
    guard let row = gtk_menu_button_get_child(opaque).flatMap(gtk_widget_get_parent) else { return }
    gtk_widget_set_halign(row, GTK_ALIGN_FILL)
    gtk_widget_set_hexpand(gtk_menu_button_get_child(opaque), 1)
  }
}
