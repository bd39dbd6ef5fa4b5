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
    set(styleClass: "flat", to: true)
    correctAccessibleName()
    gtk_widget_set_valign(widget, GTK_ALIGN_CENTER)
  }

  /// Shows another icon.
  ///
  /// - Parameter name: what it does from now on, for the pointer and for a screen reader.
  public func show(icon: String, name: String) {
    gtk_button_set_icon_name(ptr(), icon)
    tooltip = name
    correctAccessibleName()
  }

  /// Sets the label, in which an underscore precedes the mnemonic.
  public func setLabel(mnemonic label: String) {
    // Set again, even to the same text, it would be said again while the button has the focus.
    guard gtk_button_get_label(ptr()).map({ String(cString: $0) }) != label else { return }
    gtk_button_set_use_underline(ptr(), 1)
    gtk_button_set_label(ptr(), label)
    correctAccessibleName()
  }

  /// Has a screen reader say its name, once; that of an icon is its tooltip.
  ///
  /// GTK 4.8 names a button by both its raw label and its visible text, so that a screen reader
  /// would read "_Cancel Cancel", and one with an icon by the class of the icon, "GtkImage", and
  /// its tooltip.
  func correctAccessibleName() {
    if gtk_button_get_use_underline(ptr()) != 0 {
      gtk_accessible_reset_property(opaque, GTK_ACCESSIBLE_PROPERTY_LABEL)
    } else if gtk_button_get_icon_name(ptr()) != nil {
      if let tooltip { setAccessibleLabel(tooltip) }
      gtk_accessible_reset_relation(opaque, GTK_ACCESSIBLE_RELATION_LABELLED_BY)
      gtk_accessible_reset_property(opaque, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION)
    }
  }

  /// Sets the action to activate on a click, such as `app.quit`.
  public func setAction(_ name: String) { gtk_actionable_set_action_name(opaque, name) }

  /// Sets the action to activate on a click, with its parameter.
  public func setAction(_ name: String, target: String) {
    // GTK warns of an action that has no parameter yet.
    gtk_actionable_set_action_target_value(opaque, g_variant_new_string(target))
    setAction(name)
  }

  /// Calls `handler` on each click.
  public func onClick(_ handler: @escaping @MainActor () -> Void) { connect("clicked", handler) }
}

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
    set(styleClass: "flat", to: true)
    gtk_widget_set_valign(widget, GTK_ALIGN_CENTER)
    nameItems()
    hideTooltipWhileOpen()
  }

  /// Shows no tooltip while its popover is open, on which it would lie.
  func hideTooltipWhileOpen() {
    guard let popover = gtk_menu_button_get_popover(opaque) else { return }
    g_object_bind_property(popover, "visible", raw, "has-tooltip", G_BINDING_INVERT_BOOLEAN)
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

/// One of several choices, or a mark that is set or not.
@MainActor
public final class CheckButton: Widget {
  override class var type: GType { gtk_check_button_get_type() }

  /// Creates one that belongs to the same choice as `other`.
  public convenience init(with other: CheckButton?) {
    self.init(owning: gtk_check_button_new())
    if let other { gtk_check_button_set_group(ptr(), other.ptr()) }
    gtk_widget_set_valign(widget, GTK_ALIGN_CENTER)
  }

  /// Whether it is chosen.
  public var isOn: Bool {
    get { gtk_check_button_get_active(ptr()) != 0 }
    set { gtk_check_button_set_active(ptr(), newValue ? 1 : 0) }
  }
}

/// Something that is on or off.
@MainActor
public final class Switch: Widget {
  override class var type: GType { gtk_switch_get_type() }

  /// Whether it is on.
  public var isOn: Bool {
    get { gtk_switch_get_active(opaque) != 0 }
    set { gtk_switch_set_active(opaque, newValue ? 1 : 0) }
  }

  /// Runs `handler` when it is switched.
  public func onChange(_ handler: @escaping @MainActor () -> Void) {
    connect("notify::active", handler)
  }
}

/// A number that can be typed or changed in steps.
@MainActor
public final class SpinButton: Widget {
  override class var type: GType { gtk_spin_button_get_type() }

  /// Sets the allowed numbers and the step.
  public func setRange(_ range: ClosedRange<Int>, step: Int) {
    gtk_spin_button_set_range(opaque, Double(range.lowerBound), Double(range.upperBound))
    gtk_spin_button_set_increments(opaque, Double(step), Double(step * 6))
  }

  /// The number.
  public var number: Int {
    get { Int(gtk_spin_button_get_value_as_int(opaque)) }
    set { gtk_spin_button_set_value(opaque, Double(newValue)) }
  }

  /// Calls `handler` when the number changes.
  public func onChange(_ handler: @escaping @MainActor () -> Void) {
    connect("value-changed", handler)
  }
}
