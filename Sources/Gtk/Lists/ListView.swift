import CGtk
import Gio

/// A list of any length, of which only the rows on the screen exist.
@MainActor
public final class ListView: Widget {
  override class var type: GType { gtk_list_view_get_type() }

  /// Calls `handler` with the index of an item that is clicked, or chosen with Enter.
  public func onActivate(_ handler: @escaping @MainActor (Int) -> Void) {
    connect("activate") { (arguments: SignalArguments) in handler(arguments.int(0)) }
  }

  /// Has Tab go through what is in the row with the keyboard focus and then lead on from the list,
  /// and back to the same row; by itself, it would go through all rows.
  fileprivate func makeOneTabStop() {
    if let setTabBehavior = NewerGtk.setTabBehavior {
      return setTabBehavior(opaque, NewerGtk.tabInItem)
    }
    // The handler belongs to the widget, so the pointer outlives it.
    let raw = raw
    KeyController(on: self).onPress { key in
      guard KeyController.tab.contains(key) else { return false }
      return ListView(borrowing: raw).leave(backward: key == Int(GDK_KEY_ISO_Left_Tab))
    }
  }

  private func leave(backward: Bool) -> Bool {
    let direction = backward ? GTK_DIR_TAB_BACKWARD : GTK_DIR_TAB_FORWARD
    if let row = gtk_widget_get_focus_child(widget), gtk_widget_child_focus(row, direction) != 0 {
      return true
    }
    guard let window else { return false }
    gtk_widget_set_can_focus(widget, 0)
    defer { gtk_widget_set_can_focus(widget, 1) }
    return gtk_widget_child_focus(window.widget, direction) != 0
  }
}

/// What a ``ListView`` shows: numbered items, one of which can be selected.
@MainActor
public final class ListItems<Row: ListRow> {
  private let items = Object(owning: gtk_string_list_new(nil))
  private let selection: Object
  private let factory = Object(owning: gtk_signal_list_item_factory_new())
  /// The rows on the screen, by their list items.
  private var rows: [UnsafeMutableRawPointer: Row] = [:]

  /// Shows items in `view`; none at first.
  ///
  /// - Parameters:
  ///   - makeRow: creates a row, which can show any item.
  ///   - show: shows an item in a row.
  public init(
    in view: ListView, makeRow: @escaping @MainActor () -> Row,
    show: @escaping @MainActor (Row, Int) -> Void
  ) {
    // It takes the reference to its model.
    selection = Object(
      owning: gtk_single_selection_new(OpaquePointer(g_object_ref(items.raw))))
    gtk_single_selection_set_autoselect(selection.opaque, 0)
    gtk_single_selection_set_can_unselect(selection.opaque, 1)
    factory.connect("setup") { [weak self] (arguments: SignalArguments) in
      guard let self, let item = arguments.object(0) else { return }
      let row = makeRow()
      rows[item.raw] = row
      gtk_list_item_set_child(item.opaque, row.widget.widget)
    }
    factory.connect("bind") { [weak self] (arguments: SignalArguments) in
      guard let self, let item = arguments.object(0), let row = rows[item.raw] else { return }
      show(row, Int(gtk_list_item_get_position(item.opaque)))
      // A screen reader reads the list's row, which is the parent.
      row.widget.parent?.setAccessibleLabel(row.accessibleLabel)
    }
    factory.connect("teardown") { [weak self] (arguments: SignalArguments) in
      guard let item = arguments.object(0) else { return }
      self?.rows[item.raw] = nil
    }
    gtk_list_view_set_factory(view.opaque, factory.opaque)
    gtk_list_view_set_model(view.opaque, selection.opaque)
    view.makeOneTabStop()
  }

  /// Selects the item at `index`, and scrolls to it.
  public func select(_ index: Int, in view: ListView) {
    selected = index
    let position = Variant(UInt32(clamping: index))
    gtk_widget_activate_action_variant(view.widget, "list.scroll-to-item", position.pointer)
  }

  /// Moves the keyboard focus to the item at `index`, if it has a row; only those far from the screen
  /// have none.
  ///
  /// - Returns: whether it did.
  public func focus(_ index: Int) -> Bool {
    let row = rows.first { item, _ in
      gtk_list_item_get_position(OpaquePointer(item)) == UInt32(clamping: index)
    }
    return row?.value.widget.parent?.grabFocus() == true
  }

  /// How many items there are.
  public var count: Int { Int(g_list_model_get_n_items(items.opaque)) }

  /// Shows `count` other items.
  public func replace(count: Int) { splice(at: 0, removing: self.count, adding: count) }

  /// Shows one more item, before all others.
  public func prepend() { splice(at: 0, removing: 0, adding: 1) }

  /// Shows `count` more items, after all others.
  public func append(count: Int) { splice(at: self.count, removing: 0, adding: count) }

  /// All items have the same text, which is copied for each: there may be many.
  private func splice(at index: Int, removing removed: Int, adding added: Int) {
    "".withCString { text in
      var texts: [UnsafePointer<CChar>?] = Array(repeating: text, count: added)
      texts.append(nil)
      gtk_string_list_splice(items.opaque, UInt32(index), UInt32(removed), texts)
    }
  }

  /// The index of the selected item; nil for none.
  public var selected: Int? {
    get {
      let index = gtk_single_selection_get_selected(selection.opaque)
      return index < UInt32(count) ? Int(index) : nil
    }
    set {
      gtk_single_selection_set_selected(
        selection.opaque, newValue.map { UInt32(clamping: $0) } ?? .max)
    }
  }

  /// Calls `handler` when another item is selected, or none.
  public func onSelect(_ handler: @escaping @MainActor () -> Void) {
    selection.connect("notify::selected", handler)
  }
}

/// A row of a ``ListView``.
@MainActor
public protocol ListRow: AnyObject {
  /// The widget.
  var widget: Widget { get }
  /// What a screen reader says of it.
  var accessibleLabel: String { get }
}
