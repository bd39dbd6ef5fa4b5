import CGtk

/// A scrollable container.
@MainActor
public final class ScrolledWindow: Widget {
  override class var type: GType { gtk_scrolled_window_get_type() }

  /// Its vertical position.
  public var verticalAdjustment: Adjustment {
    Adjustment(borrowing: gtk_scrolled_window_get_vadjustment(opaque))
  }

  /// Keeps room for so many pixels of the height of its content.
  public func keepRoom(forHeight height: Int) {
    gtk_scrolled_window_set_min_content_height(opaque, Int32(clamping: height))
  }

  /// Becomes as wide as its content, but not wider than so many pixels.
  public func fitContent(upToWidth width: Int) {
    gtk_scrolled_window_set_propagate_natural_width(opaque, 1)
    gtk_scrolled_window_set_max_content_width(opaque, Int32(clamping: width))
  }

  /// Whether it can be scrolled sideways.
  public func scrollSideways(_ can: Bool) {
    gtk_scrolled_window_set_policy(
      opaque, can ? GTK_POLICY_AUTOMATIC : GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
  }

  /// Keeps the row, or else the widget, that has the keyboard focus in sight while the size of its
  /// content or of its visible part changes.
  ///
  /// GTK scrolls to it once, when it gets the focus: before the window is laid out, or while rows
  /// unfold, it has no place or another one then.
  ///
  /// - Parameter group: a part of the content that is kept in sight as a whole while the focus is in
  ///   it, such as a row and what is wrong with it; or a row that is kept in sight while the focus is
  ///   in the row above it.
  public func keepFocusInSight(with group: Widget? = nil) {
    // Only this widget gives its content a size, so the pointer outlives the handler.
    let raw = raw
    verticalAdjustment.onResize {
      let scroller = ScrolledWindow(borrowing: raw)
      // What is in the content has its new place only after the layout.
      MainLoop.whenIdle { scroller.showFocus(with: group) }
    }
  }

  private func showFocus(with group: Widget?) {
    guard let root = gtk_widget_get_root(widget), let focused = gtk_root_get_focus(root),
      gtk_widget_is_ancestor(focused, widget) != 0,
      let viewport = gtk_scrolled_window_get_child(opaque),
      let content = gtk_viewport_get_child(OpaquePointer(viewport))
    else { return }
    let row = gtk_widget_get_ancestor(focused, gtk_list_box_row_get_type())
    let shown = if let group, group.holdsFocus { group.widget } else { row ?? focused }
    let below = gtk_widget_get_next_sibling(shown)
    let last = if let below, below == group?.widget { below } else { shown }
    var (top, bottom) = (graphene_rect_t(), graphene_rect_t())
    guard gtk_widget_compute_bounds(shown, content, &top) != 0,
      gtk_widget_compute_bounds(last, content, &bottom) != 0
    else { return }
    verticalAdjustment.show(
      from: Double(top.origin.y), to: Double(bottom.origin.y + bottom.size.height))
  }
}

/// The visible part of scrollable content, in pixels.
@MainActor
public final class Adjustment: Object {
  /// The start of the visible part.
  public var value: Double {
    get { gtk_adjustment_get_value(ptr()) }
    set { gtk_adjustment_set_value(ptr(), newValue) }
  }

  /// The start of the visible part when scrolled to the end.
  public var end: Double { gtk_adjustment_get_upper(ptr()) - gtk_adjustment_get_page_size(ptr()) }

  /// The size of the visible part.
  public var pageSize: Double { gtk_adjustment_get_page_size(ptr()) }

  /// Scrolls as little as shows a part of the content, or its start if it is too long.
  ///
  /// Setting the value ends an animation to another place, with which GTK would scroll back;
  /// `gtk_adjustment_clamp_page` does not.
  func show(from start: Double, to end: Double) {
    value = min(max(value, end - gtk_adjustment_get_page_size(ptr())), start)
  }

  /// Calls `handler` whenever the content is scrolled.
  public func onMove(_ handler: @escaping @MainActor () -> Void) {
    connect("value-changed", handler)
  }

  /// Calls `handler` whenever the size of the content or the visible part changes.
  public func onResize(_ handler: @escaping @MainActor () -> Void) { connect("changed", handler) }
}
