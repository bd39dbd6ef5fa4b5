import CGtk

/// Widgets in a row or column.
@MainActor
public final class Box: Widget {
  override class var type: GType { gtk_box_get_type() }

  /// Creates a column of `widgets` with this spacing in pixels.
  public convenience init(column widgets: [Widget], spacing: Int) {
    self.init(owning: gtk_box_new(GTK_ORIENTATION_VERTICAL, Int32(clamping: spacing)))
    for widget in widgets { append(widget) }
  }

  /// Creates a row of `widgets` with this spacing in pixels.
  public convenience init(row widgets: [Widget], spacing: Int = 0) {
    self.init(owning: gtk_box_new(GTK_ORIENTATION_HORIZONTAL, Int32(clamping: spacing)))
    for widget in widgets { append(widget) }
  }

  /// Adds a widget at the end.
  public func append(_ child: Widget) { gtk_box_append(ptr(), child.widget) }

  /// Removes a child.
  public func remove(_ child: Widget) { gtk_box_remove(ptr(), child.widget) }

  /// Removes all children.
  public func removeAll() {
    while let child = gtk_widget_get_first_child(widget) { gtk_box_remove(ptr(), child) }
  }
}

/// A heading that shows or hides a widget when it is clicked.
@MainActor
public final class Expander: Widget {
  override class var type: GType { gtk_expander_get_type() }

  /// Creates an expander that hides `child`; an underscore in `label` precedes the mnemonic.
  public convenience init(mnemonic label: String, child: Widget) {
    self.init(owning: gtk_expander_new_with_mnemonic(label))
    gtk_expander_set_child(opaque, child.widget)
    // GTK 4.8 would name it by its class.
    setAccessibleLabel(label.filter { $0 != "_" })
    // GTK 4.8 would give the focus to a text in it while it is closed.
    gtk_widget_set_can_focus(child.widget, 0)
    // The handler belongs to the widget, so the pointer outlives it.
    let raw = raw
    connect("notify::expanded") {
      let expander = Expander(borrowing: raw)
      gtk_widget_set_can_focus(child.widget, expander.isExpanded ? 1 : 0)
    }
    takeFocusWhenClosed()
  }
}

extension Expander {
  /// Takes the keyboard focus from its content when its mnemonic closes it: GTK would move it to
  /// whatever follows.
  func takeFocusWhenClosed() {
    // The handler belongs to the widget, so the pointer outlives it.
    let raw = raw
    connectReturningBool("mnemonic-activate") { _ in
      let expander = Expander(borrowing: raw)
      if expander.isExpanded, expander.holdsFocus { expander.grabFocus() }
      return false
    }
  }

  /// Whether the widget is shown.
  public var isExpanded: Bool {
    get { gtk_expander_get_expanded(opaque) != 0 }
    set { gtk_expander_set_expanded(opaque, newValue ? 1 : 0) }
  }
}

/// A bubble beside a widget.
@MainActor
public final class Popover: Widget {
  override class var type: GType { gtk_popover_get_type() }

  /// Shows it.
  public func open() { gtk_popover_popup(ptr()) }

  /// Hides it.
  public func close() { gtk_popover_popdown(ptr()) }

  /// Makes it so wide at least, in pixels.
  public func setMinimumWidth(_ width: Int) {
    gtk_widget_set_size_request(widget, Int32(clamping: width), -1)
  }
}
