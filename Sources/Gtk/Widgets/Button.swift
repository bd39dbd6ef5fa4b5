import CGtk

/// A button.
@MainActor
public final class Button: Widget {
  override class var type: GType { gtk_button_get_type() }

  /// Creates a button with a label, in which an underscore precedes the mnemonic.
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
    correctAccessibleName()
    gtk_widget_set_valign(widget, GTK_ALIGN_CENTER)
  }

  /// Sets the label, in which an underscore precedes the mnemonic.
  public func setLabel(mnemonic label: String) {
    gtk_button_set_use_underline(ptr(), 1)
    gtk_button_set_label(ptr(), label)
    correctAccessibleName()
  }

  /// Has a screen reader say its name, once.
  ///
  /// GTK 4.8 names a button by both its raw label and its visible text, so that a screen reader
  /// would read "_Cancel Cancel", and one with an icon by the class of the icon, "GtkImage", and
  /// its tooltip.
  func correctAccessibleName() {
    if gtk_button_get_use_underline(ptr()) != 0 {
      gtk_accessible_reset_property(opaque, GTK_ACCESSIBLE_PROPERTY_LABEL)
    } else if gtk_button_get_icon_name(ptr()) != nil {
      gtk_accessible_reset_relation(opaque, GTK_ACCESSIBLE_RELATION_LABELLED_BY)
      gtk_accessible_reset_property(opaque, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION)
    }
  }

  /// Sets the action to activate on a click, such as `app.quit`.
  public func setAction(_ name: String) { gtk_actionable_set_action_name(opaque, name) }

  /// Sets the action to activate on a click, with its parameter.
  public func setAction(_ name: String, target: String) {
    setAction(name)
    gtk_actionable_set_action_target_value(opaque, g_variant_new_string(target))
  }

  /// Calls `handler` on each click.
  public func onClick(_ handler: @escaping @MainActor () -> Void) { connect("clicked", handler) }
}
