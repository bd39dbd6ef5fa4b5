import CGtk

/// Several widgets, one of which is shown.
@MainActor
public final class Stack: Widget {
  override class var type: GType { gtk_stack_get_type() }

  /// Adds a widget.
  ///
  /// - Parameter title: what a screen reader calls it; without one, it says a class of GTK.
  public func add(_ child: Widget, name: String? = nil, title: String) {
    gtk_stack_add_titled(opaque, child.widget, name, title)
  }

  /// The child that is shown.
  public var visibleChild: Widget? {
    gtk_stack_get_visible_child(opaque).map { Widget(borrowing: $0) }
  }

  /// Removes a widget.
  public func remove(_ child: Widget) { gtk_stack_remove(opaque, child.widget) }

  /// Shows one of its widgets.
  public func show(_ child: Widget) { gtk_stack_set_visible_child(opaque, child.widget) }

  /// Sets whether a switcher offers one of its widgets.
  public func offer(_ child: Widget, _ isOffered: Bool) {
    gtk_stack_page_set_visible(gtk_stack_get_page(opaque, child.widget), isOffered ? 1 : 0)
  }

  /// The name of the child that is shown; empty without one.
  public var visibleName: String {
    gtk_stack_get_visible_child_name(opaque).map { String(cString: $0) } ?? ""
  }

  /// Calls `handler` when another of its widgets is shown.
  public func onChange(_ handler: @escaping @MainActor () -> Void) {
    connect("notify::visible-child", handler)
  }

  /// Shows the widget with this name.
  public func show(name: String) { gtk_stack_set_visible_child_name(opaque, name) }
}

/// A page with an icon, a heading and a sentence.
@MainActor
public final class StatusPage: Widget {
  override class var type: GType { adw_status_page_get_type() }

  /// Sets the content.
  public func show(icon: String, title: String, description: String) {
    adw_status_page_set_icon_name(opaque, icon)
    adw_status_page_set_title(opaque, title)
    adw_status_page_set_description(opaque, Markup.escaped(description))
  }
}
