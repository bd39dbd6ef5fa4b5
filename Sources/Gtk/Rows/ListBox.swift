import CGtk

/// A list of rows.
@MainActor
public final class ListBox: Widget {
  override class var type: GType { gtk_list_box_get_type() }

  /// The row at `index`; nil when there is none.
  public func row(at index: Int) -> Widget? {
    gtk_list_box_get_row_at_index(opaque, Int32(clamping: index)).map { Widget(borrowing: $0) }
  }

  /// Creates an empty list, in which nothing is selected.
  public convenience init() {
    self.init(owning: gtk_list_box_new())
    gtk_list_box_set_selection_mode(opaque, GTK_SELECTION_NONE)
  }

  /// Gives it the looks of a list in a form.
  public func makeBoxed() { set(styleClass: "boxed-list", to: true) }

  /// Shows `rows` in place of those before; the keyboard focus stays at its place.
  public func show(_ rows: [Widget]) {
    let place = placeOfFocus
    while let row = gtk_widget_get_first_child(widget) { gtk_list_box_remove(opaque, row) }
    for row in rows { gtk_list_box_append(opaque, row.widget) }
    if let place { moveFocus(to: place) }
  }

  /// Shows `rows` in place of those before, of which the one at `selected` has a mark.
  ///
  /// Screen readers know of it by the state of each row. A selection of GTK's own would follow the
  /// keyboard focus.
  public func show(_ rows: [Widget], selected: Int?) {
    show(rows)
    for (index, row) in rows.enumerated() { row.setAccessibleSelected(index == selected) }
  }

  /// Lets the arrow keys go on into the list below it, and back.
  public func leadKeys(to next: ListBox) {
    connectReturningBool("keynav-failed") { [weak next] arguments in
      guard arguments.isDirection(GTK_DIR_DOWN), let next, next.isMapped else { return false }
      return next.children.first?.grabFocus() == true
    }
    next.connectReturningBool("keynav-failed") { [weak self] arguments in
      guard arguments.isDirection(GTK_DIR_UP), let self, isMapped else { return false }
      return children.last?.grabFocus() == true
    }
  }

  /// Calls `handler` when the Down key is pressed in its last row.
  ///
  /// - Parameter handler: returns whether it has moved the focus.
  public func onDownFromLast(_ handler: @escaping @MainActor () -> Bool) {
    connectReturningBool("keynav-failed") { $0.isDirection(GTK_DIR_DOWN) && handler() }
  }

  /// A step from a widget to one in it: an icon that comes or goes beside it makes no difference.
  private struct Step {
    var className: String
    /// The index among the widgets of the same class.
    var index: Int
  }

  /// Where in it the keyboard focus is; nil when the focus is elsewhere.
  private var placeOfFocus: [Step]? {
    guard var child = window?.focusedWidget else { return nil }
    var place: [Step] = []
    while child != self {
      let name = child.className
      guard let parent = child.parent,
        let index = parent.children.filter({ $0.className == name }).firstIndex(of: child)
      else { return nil }
      place.append(Step(className: name, index: index))
      child = parent
    }
    return place.reversed()
  }

  /// Moves the keyboard focus to the widget at `place`, or to its row.
  private func moveFocus(to place: [Step]) {
    guard let index = place.first?.index, let last = children.indices.last else { return }
    let row = children[min(index, last)]
    var target = row
    for step in place.dropFirst() {
      let found = target.children.filter { $0.className == step.className }
      guard found.indices ~= step.index else { break }
      target = found[step.index]
    }
    if !target.grabFocus() { row.grabFocus() }
  }
}

extension Widget {
  /// The row of a list that it is, or that it is in; nil when it is in none.
  public var listRow: Widget? {
    gtk_widget_get_ancestor(widget, gtk_list_box_row_get_type()).map { Widget(borrowing: $0) }
  }

  /// Moves it, a row of its own, below another row of any list; nil takes it out of its list.
  public func move(below row: Widget?) {
    // A screen reader would take it for a new one.
    guard gtk_widget_get_prev_sibling(widget) != row?.widget else { return }
    if let list = parent { gtk_list_box_remove(list.opaque, widget) }
    guard let row, let list = row.parent else { return }
    gtk_list_box_insert(list.opaque, widget, gtk_list_box_row_get_index(row.ptr()) + 1)
  }

  fileprivate var className: String { String(cString: g_type_name_from_instance(ptr())) }
}

/// A titled list of rows.
@MainActor
public final class PreferencesGroup: Widget {
  override class var type: GType { adw_preferences_group_get_type() }

  /// Sets the line below the title.
  public func setDescription(_ text: String) {
    adw_preferences_group_set_description(ptr(), Markup.escaped(text))
  }

  /// Adds a row at the end.
  public func add(_ row: Widget) { adw_preferences_group_add(ptr(), row.widget) }

  /// Removes a row.
  public func remove(_ row: Widget) { adw_preferences_group_remove(ptr(), row.widget) }
}

extension SignalArguments {
  /// Whether the first one is a direction of the keyboard focus.
  fileprivate func isDirection(_ direction: GtkDirectionType) -> Bool {
    int(0) == Int(direction.rawValue)
  }
}
