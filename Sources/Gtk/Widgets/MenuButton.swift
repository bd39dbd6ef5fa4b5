import CGtk

/// A button that opens a popover.
@MainActor
public final class MenuButton: Widget {
  override class var type: GType { gtk_menu_button_get_type() }

  /// A flat button with an icon alone, which opens the menu `model`.
  ///
  /// - Parameter name: what it opens, for the pointer and for a screen reader.
  public convenience init(icon: String, name: String, menu model: Object) {
    self.init(owning: gtk_menu_button_new())
    gtk_menu_button_set_icon_name(opaque, icon)
    gtk_menu_button_set_menu_model(opaque, model.ptr())
    tooltip = name
    setAccessibleLabel(name)
    set(styleClass: "flat", to: true)
    gtk_widget_set_valign(widget, GTK_ALIGN_CENTER)
    nameItems()
  }

  /// Opens its popover.
  public func popUp() { gtk_menu_button_popup(opaque) }

  /// Closes its popover.
  public func close() { gtk_menu_button_popdown(opaque) }

  /// Lets its child take the whole width; GTK centers it.
  public func fillWidth() {
    guard let row = gtk_menu_button_get_child(opaque).flatMap(gtk_widget_get_parent) else { return }
    gtk_widget_set_halign(row, GTK_ALIGN_FILL)
    gtk_widget_set_hexpand(gtk_menu_button_get_child(opaque), 1)
  }
}
