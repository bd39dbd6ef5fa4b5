import CGtk

/// A widget.
@MainActor
open class Widget: Object {
  override class var type: GType { gtk_widget_get_type() }

  /// The widget for C.
  var widget: UnsafeMutablePointer<GtkWidget> { ptr() }

  /// Whether it is visible, regardless of its parents.
  public var isVisible: Bool {
    get { gtk_widget_get_visible(widget) != 0 }
    set { gtk_widget_set_visible(widget, newValue ? 1 : 0) }
  }

  /// Calls `handler` whenever ``isVisible`` changes.
  public func onVisibilityChange(_ handler: @escaping @MainActor () -> Void) {
    connect("notify::visible", handler)
  }

  /// Whether it is sensitive, regardless of its parents.
  public var isSensitive: Bool {
    get { gtk_widget_get_sensitive(widget) != 0 }
    set { gtk_widget_set_sensitive(widget, newValue ? 1 : 0) }
  }

  /// Whether it is on the screen.
  public var isMapped: Bool { gtk_widget_get_mapped(widget) != 0 }

  /// Calls `handler` whenever it comes on the screen.
  public func onShow(_ handler: @escaping @MainActor () -> Void) { connect("map", handler) }

  /// Calls `handler` whenever it leaves the screen.
  public func onHide(_ handler: @escaping @MainActor () -> Void) { connect("unmap", handler) }

  /// The tooltip.
  public var tooltip: String? {
    get { gtk_widget_get_tooltip_text(widget).map { String(cString: $0) } }
    set {
      // Also as the accessible description: a screen reader would say the same again.
      guard newValue != tooltip else { return }
      gtk_widget_set_tooltip_text(widget, newValue)
    }
  }

  /// Whether its text direction is right to left.
  public var isRightToLeft: Bool {
    get { gtk_widget_get_direction(widget) == GTK_TEXT_DIR_RTL }
    set { gtk_widget_set_direction(widget, newValue ? GTK_TEXT_DIR_RTL : GTK_TEXT_DIR_LTR) }
  }

  /// Its current width, in pixels.
  public var width: Int { Int(gtk_widget_get_width(widget)) }

  /// Takes the remaining width of its row.
  public func expandHorizontally() { gtk_widget_set_hexpand(widget, 1) }

  /// Takes all the remaining space.
  public func expand() {
    gtk_widget_set_hexpand(widget, 1)
    gtk_widget_set_vexpand(widget, 1)
  }

  /// Gives it its natural height, in the middle of its place.
  public func centerVertically() { gtk_widget_set_valign(widget, GTK_ALIGN_CENTER) }

  /// Adds or removes a CSS class.
  public func set(styleClass: String, to isOn: Bool) {
    if isOn {
      gtk_widget_add_css_class(widget, styleClass)
    } else {
      gtk_widget_remove_css_class(widget, styleClass)
    }
  }

  /// Makes the actions of a group available to it and its children.
  ///
  /// - Parameter prefix: the prefix of the action names, without the dot.
  public func insert(_ group: ActionGroup, as prefix: String) {
    gtk_widget_insert_action_group(widget, prefix, group.opaque)
  }

  /// Activates an action that is available here, such as `app.quit`, if it is enabled.
  public func activate(action: String) {
    gtk_widget_activate_action_variant(widget, action, nil)
  }

  // MARK: Hierarchy

  /// Its parent; nil when it has none.
  public var parent: Widget? { gtk_widget_get_parent(widget).map { Widget(borrowing: $0) } }

  /// Its children, in order.
  public var children: [Widget] {
    var children: [Widget] = []
    var next = gtk_widget_get_first_child(widget)
    while let child = next {
      children.append(Widget(borrowing: child))
      next = gtk_widget_get_next_sibling(child)
    }
    return children
  }

  /// All widgets in it, each before those in it.
  public var descendants: [Widget] { children.flatMap { [$0] + $0.descendants } }

  /// Its window; nil when it is in none.
  public var window: Window? {
    gtk_widget_get_root(widget).flatMap { Object(borrowing: $0).cast() }
  }

  // MARK: Keyboard focus

  /// Whether it has the keyboard focus, or will get it when its window comes to the foreground.
  public var hasFocus: Bool { gtk_widget_is_focus(widget) != 0 }

  /// Whether one of its descendants has the keyboard focus, or had it last.
  public var containsFocus: Bool { gtk_widget_get_focus_child(widget) != nil }

  /// Whether it or one of its descendants has the keyboard focus, or will get it when its window comes
  /// to the foreground.
  public var holdsFocus: Bool {
    guard let root = gtk_widget_get_root(widget), let focused = gtk_root_get_focus(root) else {
      return false
    }
    return focused == widget || gtk_widget_is_ancestor(focused, widget) != 0
  }

  /// Takes the keyboard focus, unless it is invisible: GTK would give it the focus all the same, and
  /// no key would lead on.
  ///
  /// The same is true of a widget on a page of a stack that is not shown; see ``isMapped``.
  ///
  /// An entry that gets the focus selects its text. One that has it already does not: what is being
  /// typed would be replaced by the next letter.
  /// - Returns: whether it has the focus now.
  @discardableResult
  public func grabFocus() -> Bool { isVisible && isBeingEdited || grabFocusSelecting() }

  /// Takes the keyboard focus; an entry selects its text even if it has the focus already.
  /// - Returns: whether it has the focus now.
  @discardableResult
  public func grabFocusSelecting() -> Bool { isVisible && gtk_widget_grab_focus(widget) != 0 }

  /// Whether it is an entry whose text has the keyboard focus, and not a button in it.
  private var isBeingEdited: Bool {
    guard isEditable, let root = gtk_widget_get_root(widget), let focused = gtk_root_get_focus(root)
    else { return false }
    return focused == widget || OpaquePointer(focused) == gtk_editable_get_delegate(opaque)
  }

  /// Whether it has a text that can be edited.
  var isEditable: Bool { entrance_is_a(raw, gtk_editable_get_type()) != 0 }

  /// Calls `body`, which may select the text of an entry, and selects what was selected before.
  func keepSelection(_ body: () -> Void) {
    guard isEditable else { return body() }
    var (start, end) = (Int32(), Int32())
    gtk_editable_get_selection_bounds(opaque, &start, &end)
    let cursor = gtk_editable_get_position(opaque)
    body()
    // The cursor is at the end of what is selected.
    gtk_editable_select_region(opaque, cursor == start ? end : start, cursor)
  }

  /// Prevents it and its children from taking the keyboard focus.
  public func refuseFocus() { gtk_widget_set_can_focus(widget, 0) }

  /// Whether it can take the keyboard focus, which a picture or a text cannot at first.
  public var isFocusable: Bool {
    get { gtk_widget_get_focusable(widget) != 0 }
    set { gtk_widget_set_focusable(widget, newValue ? 1 : 0) }
  }

  /// Calls `handler` when neither it nor anything in it has the focus any more.
  public func onFocusLoss(_ handler: @escaping @MainActor () -> Void) {
    let controller = Object(owning: gtk_event_controller_focus_new())
    controller.connect("leave", handler)
    add(controller: controller)
  }

  /// Adds an event controller.
  func add(controller: Object) {
    // The widget takes ownership of this reference.
    g_object_ref(controller.raw)
    gtk_widget_add_controller(widget, controller.opaque)
  }
}

extension Widget {
  /// Calls `body` once, after the next frame is on the screen, so that it does not delay that
  /// frame.
  public func afterNextFrame(_ body: @escaping @MainActor () -> Void) {
    guard let clock = gtk_widget_get_frame_clock(widget) else { return }
    var handler: SignalHandler?
    // The handler belongs to the clock, so the pointer outlives it.
    handler = Object(borrowing: clock).connect("after-paint") {
      guard let connected = handler else { return }
      handler = nil
      Object(borrowing: clock).disconnect(connected)
      body()
    }
  }
}
