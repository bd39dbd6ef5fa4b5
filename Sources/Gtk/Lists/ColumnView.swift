import CGtk

/// A table of any length, of which only the rows on the screen exist; a click on the title of a
/// column sorts by it, and shows the first rows.
@MainActor
public final class ColumnView: Widget {
  override class var type: GType { gtk_column_view_get_type() }
}

/// What a ``ColumnView`` shows: numbered rows of texts.
@MainActor
public final class ColumnItems {
  /// What a table consists of.
  public struct Content {
    /// The titles of the columns.
    public var columns: [String]
    /// How many rows there are.
    public var count: Int
    /// The text in a row and a column.
    public var text: @MainActor (_ row: Int, _ column: Int) -> String
    /// Whether a row comes before another when they are sorted by a column.
    public var precedes: @MainActor (_ row: Int, _ other: Int, _ column: Int) -> Bool

    /// Creates a table.
    public init(
      columns: [String], count: Int, text: @escaping @MainActor (Int, Int) -> String,
      precedes: @escaping @MainActor (Int, Int, Int) -> Bool
    ) {
      (self.columns, self.count, self.text, self.precedes) = (columns, count, text, precedes)
    }
  }

  private let view: ColumnView
  private var content: Content?
  private var factories: [Object] = []

  /// Shows nothing in `view` at first.
  public init(in view: ColumnView) {
    self.view = view
    guard let sorter = gtk_column_view_get_sorter(view.opaque) else { return }
    Object(borrowing: UnsafeMutableRawPointer(sorter)).connect("changed") { [weak self] in
      self?.scrollToStart()
    }
  }

  /// Shows the first rows.
  private func scrollToStart() {
    // The layout keeps the rows that were on the screen in sight.
    view.afterNextFrame { [weak self] in
      guard let self else { return }
      gtk_adjustment_set_value(gtk_scrollable_get_vadjustment(view.opaque), 0)
    }
  }

  /// Shows another table; nil for none.
  public func show(_ content: Content?) {
    gtk_column_view_set_model(view.opaque, nil)
    removeColumns()
    self.content = content
    guard let content else { return }
    for column in content.columns.indices { append(column, content.columns[column]) }
    let list = Object(owning: gtk_string_list_new(nil))
    CStringArray((0..<content.count).map(String.init)).withPointer {
      gtk_string_list_splice(list.opaque, 0, 0, $0)
    }
    // It takes the references to what it is made of.
    let sorted = Object(
      owning: gtk_sort_list_model_new(
        OpaquePointer(g_object_ref(list.raw)),
        gtk_column_view_get_sorter(view.opaque).map { g_object_ref(UnsafeMutableRawPointer($0)) }
          .map { $0.assumingMemoryBound(to: GtkSorter.self) }))
    // A model that it had from the start would have its first row selected.
    let selection = Object(owning: gtk_single_selection_new(nil))
    gtk_single_selection_set_autoselect(selection.opaque, 0)
    gtk_single_selection_set_can_unselect(selection.opaque, 1)
    gtk_single_selection_set_model(selection.opaque, sorted.opaque)
    gtk_column_view_set_model(view.opaque, selection.opaque)
  }

  /// The number of the selected row; nil for none.
  public var selected: Int? {
    guard let model = gtk_column_view_get_model(view.opaque),
      let item = gtk_single_selection_get_selected_item(model)
    else { return nil }
    return Self.index(of: UnsafeRawPointer(item))
  }

  /// Calls `handler` with the number of a row that is clicked twice, or chosen with Enter.
  public func onActivate(_ handler: @escaping @MainActor (Int) -> Void) {
    view.connect("activate") { [weak self] (arguments: SignalArguments) in
      guard let self, let model = gtk_column_view_get_model(view.opaque),
        let item = g_list_model_get_item(model, UInt32(clamping: arguments.int(0)))
      else { return }
      let row = Self.index(of: UnsafeRawPointer(item))
      g_object_unref(item)
      handler(row)
    }
  }

  private func removeColumns() {
    factories = []
    guard let columns = gtk_column_view_get_columns(view.opaque) else { return }
    while let column = g_list_model_get_item(columns, 0) {
      gtk_column_view_remove_column(view.opaque, OpaquePointer(column))
      g_object_unref(column)
    }
  }

  private func append(_ column: Int, _ title: String) {
    let factory = makeLabelFactory { [weak self] item in
      self?.content?.text(Self.index(of: UnsafeRawPointer(item)), column) ?? ""
    }
    factory.connect("setup") { (arguments: SignalArguments) in
      guard let item = arguments.object(0), let child = gtk_list_item_get_child(item.opaque)
      else { return }
      Label(borrowing: child).showWholeInTooltip()
    }
    factories.append(factory)
    let made = Object(
      owning: gtk_column_view_column_new(
        title, OpaquePointer(g_object_ref(factory.raw))))
    gtk_column_view_column_set_resizable(made.opaque, 1)
    gtk_column_view_column_set_fixed_width(made.opaque, Self.width)
    // The last one takes what is left of the width.
    if column + 1 == content?.columns.count { gtk_column_view_column_set_expand(made.opaque, 1) }
    let comparison = Comparison(items: self, column: column)
    let sorter = Object(
      owning: gtk_custom_sorter_new(
        compareRows, Unmanaged.passRetained(comparison).toOpaque(),
        { data in if let data { Unmanaged<Comparison>.fromOpaque(data).release() } }))
    gtk_column_view_column_set_sorter(made.opaque, sorter.ptr())
    gtk_column_view_append_column(view.opaque, made.opaque)
  }

  /// The width of a column, in pixels, before the person changes it.
  private static let width: Int32 = 180

  /// The number of a row, which is the text of its item.
  fileprivate static func index(of item: UnsafeRawPointer?) -> Int {
    guard let item else { return 0 }
    let text = gtk_string_object_get_string(OpaquePointer(item))
    return text.flatMap { Int(String(cString: $0)) } ?? 0
  }

  fileprivate func compare(_ row: Int, _ other: Int, by column: Int) -> Int32 {
    guard let content, row != other else { return 0 }
    if content.precedes(row, other, column) { return -1 }
    return content.precedes(other, row, column) ? 1 : 0
  }
}

/// By which column a table is compared.
@MainActor
private final class Comparison {
  weak var items: ColumnItems?
  let column: Int

  init(items: ColumnItems, column: Int) {
    self.items = items
    self.column = column
  }
}

private nonisolated let compareRows: GCompareDataFunc = { one, other, data in
  nonisolated(unsafe) let (one, other, data) = (one, other, data)
  return MainActor.assumeIsolated {
    guard let data else { return 0 }
    let comparison = Unmanaged<Comparison>.fromOpaque(data).takeUnretainedValue()
    let (row, next) = (ColumnItems.index(of: one), ColumnItems.index(of: other))
    return comparison.items?.compare(row, next, by: comparison.column) ?? 0
  }
}
