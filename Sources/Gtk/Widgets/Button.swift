import CGtk

/// Something to click.
@MainActor
public final class Button: Widget {
  override class var type: GType { gtk_button_get_type() }

  /// A button with a label, in which an underscore stands before the mnemonic.
  public convenience init(mnemonic label: String) {
    self.init(owning: gtk_button_new())
    setLabel(mnemonic: label)
  }

  /// A flat button with an icon alone.
  ///
  /// - Parameter name: what it does, for the pointer and for a screen reader.
  public convenience init(icon: String, name: String) {
    self.init(owning: gtk_button_new_from_icon_name(icon))
    tooltip = name
    setAccessibleLabel(name)
    set(styleClass: "flat", to: true)
    gtk_widget_set_valign(widget, GTK_ALIGN_CENTER)
  }

  /// Sets the label, in which an underscore stands before the mnemonic.
  public func setLabel(mnemonic label: String) {
    gtk_button_set_use_underline(ptr(), 1)
    gtk_button_set_label(ptr(), label)
    nameByText()
  }

  /// Leaves the mnemonic out of the accessible name.
  ///
  /// GTK 4.8 names a button by its label as it was written and by the text that is shown, so that a
  /// screen reader would say "_Cancel Cancel".
  func nameByText() { gtk_accessible_reset_property(opaque, GTK_ACCESSIBLE_PROPERTY_LABEL) }

  /// Whether its label has a mnemonic.
  var usesMnemonic: Bool { gtk_button_get_use_underline(ptr()) != 0 }

  /// Activates the action of this name, such as `app.quit`, at each click.
  public func setAction(_ name: String) { gtk_actionable_set_action_name(opaque, name) }

  /// Runs `handler` at each click.
  public func onClick(_ handler: @escaping @MainActor () -> Void) { connect("clicked", handler) }
}
