import CGtk

/// Anything that is shown.
@MainActor
open class Widget: Object {
  override class var type: GType { gtk_widget_get_type() }

  /// The widget for C.
  var widget: UnsafeMutablePointer<GtkWidget> { ptr() }

  /// Whether it is shown, as far as it is up to the widget itself.
  public var isVisible: Bool {
    get { gtk_widget_get_visible(widget) != 0 }
    set { gtk_widget_set_visible(widget, newValue ? 1 : 0) }
  }

  /// Whether it can be operated, as far as it is up to the widget itself.
  public var isSensitive: Bool {
    get { gtk_widget_get_sensitive(widget) != 0 }
    set { gtk_widget_set_sensitive(widget, newValue ? 1 : 0) }
  }

  /// Whether it is on the screen.
  public var isMapped: Bool { gtk_widget_get_mapped(widget) != 0 }

  /// What is shown when the pointer rests on it.
  public var tooltip: String? {
    get { gtk_widget_get_tooltip_text(widget).map { String(cString: $0) } }
    set { gtk_widget_set_tooltip_text(widget, newValue) }
  }

  /// Whether what is in it runs from right to left.
  public var isRightToLeft: Bool {
    get { gtk_widget_get_direction(widget) == GTK_TEXT_DIR_RTL }
    set { gtk_widget_set_direction(widget, newValue ? GTK_TEXT_DIR_RTL : GTK_TEXT_DIR_LTR) }
  }

  /// How wide it is now, in pixels.
  public var width: Int { Int(gtk_widget_get_width(widget)) }

  /// Takes the space that is left over in its row.
  public func expandHorizontally() { gtk_widget_set_hexpand(widget, 1) }

  /// Takes all the space that is left over.
  public func expand() {
    gtk_widget_set_hexpand(widget, 1)
    gtk_widget_set_vexpand(widget, 1)
  }

  /// Stands in the middle of its row, no wider than it has to be.
  public func center() { gtk_widget_set_halign(widget, GTK_ALIGN_CENTER) }

  /// Gives it a class of the style sheet, or takes it.
  public func set(styleClass: String, to isOn: Bool) {
    if isOn {
      gtk_widget_add_css_class(widget, styleClass)
    } else {
      gtk_widget_remove_css_class(widget, styleClass)
    }
  }

  /// Gives it the actions of a group, for itself and all that is in it.
  ///
  /// - Parameter prefix: what stands before the names of the actions, and a point.
  public func insert(_ group: ActionGroup, as prefix: String) {
    gtk_widget_insert_action_group(widget, prefix, group.opaque)
  }

  // MARK: Where it is

  /// What it is in; nil as long as it is in nothing.
  public var parent: Widget? { gtk_widget_get_parent(widget).map { Widget(borrowing: $0) } }

  /// What is directly in it, in order.
  public var children: [Widget] {
    var children: [Widget] = []
    var next = gtk_widget_get_first_child(widget)
    while let child = next {
      children.append(Widget(borrowing: child))
      next = gtk_widget_get_next_sibling(child)
    }
    return children
  }

  /// The window that it is in; nil as long as it is in none.
  public var window: Window? {
    gtk_widget_get_root(widget).flatMap { Object(borrowing: $0).cast() }
  }

  // MARK: Keyboard focus

  /// Whether it has the keyboard focus, or will have it when its window comes to the foreground.
  public var hasFocus: Bool { gtk_widget_is_focus(widget) != 0 }

  /// Whether something in it has the keyboard focus, or had it last.
  public var containsFocus: Bool { gtk_widget_get_focus_child(widget) != nil }

  /// Takes the keyboard focus.
  ///
  /// - Returns: whether it could.
  @discardableResult
  public func grabFocus() -> Bool { gtk_widget_grab_focus(widget) != 0 }

  /// Keeps the keyboard focus away from it and what is in it.
  public func refuseFocus() { gtk_widget_set_can_focus(widget, 0) }

  // MARK: Assistive technology

  /// Sets the name by which a screen reader knows it.
  public func setAccessibleLabel(_ label: String) { entrance_set_accessible_label(raw, label) }

  /// Sets what a screen reader says besides its name.
  public func setAccessibleDescription(_ description: String) {
    entrance_set_accessible_description(raw, description)
  }
}
