import CGtk
import Gtk

/// A table sorts its rows by a column, whose texts come from outside, and is released.
func checkTable() {
  do {
    let view = ColumnView(owning: UnsafeMutableRawPointer(gtk_column_view_new(nil)))
    LiveObjects.watch(view)
    let table: OpaquePointer = OpaquePointer(view.ptr() as UnsafeMutablePointer<GtkWidget>)
    let items = ColumnItems(in: view)
    let numbers = [3, 1, 2]
    let probe = Probe()
    items.show(
      ColumnItems.Content(
        columns: ["Number", "Other"], count: numbers.count,
        text: { [probe] row, _ in
          probe.touch()
          return String(numbers[row])
        }, precedes: { one, other, _ in numbers[one] < numbers[other] }))
    func rows() -> [String] {
      guard let model = gtk_column_view_get_model(table) else { return [] }
      return (0..<g_list_model_get_n_items(model)).map { index in
        guard let item = g_list_model_get_item(model, index) else { return "" }
        defer { g_object_unref(item) }
        return gtk_string_object_get_string(OpaquePointer(item)).map { String(cString: $0) } ?? ""
      }
    }
    expect(rows() == ["0", "1", "2"], "rows as they are: \(rows())")
    let columns = gtk_column_view_get_columns(table)
    expect(g_list_model_get_n_items(columns) == 2, "two columns")
    guard let first = g_list_model_get_item(columns, 0) else {
      return expect(false, "a first column")
    }
    gtk_column_view_sort_by_column(table, OpaquePointer(first), GTK_SORT_ASCENDING)
    expect(rows() == ["1", "2", "0"], "rows by number: \(rows())")
    gtk_column_view_sort_by_column(table, OpaquePointer(first), GTK_SORT_DESCENDING)
    expect(rows() == ["0", "2", "1"], "rows by number, the largest first: \(rows())")
    expect(gtk_column_view_column_get_expand(OpaquePointer(first)) == 0, "a width of its own")
    g_object_unref(first)
    guard let last = g_list_model_get_item(columns, 1) else {
      return expect(false, "a last column")
    }
    expect(gtk_column_view_column_get_expand(OpaquePointer(last)) != 0, "the rest of the width")
    g_object_unref(last)
    expect(items.selected == nil, "no row is selected")
    gtk_single_selection_set_selected(gtk_column_view_get_model(table), 1)
    expect(items.selected == 2, "the number of the selected row, not its place")
    items.show(nil)
    expect(items.selected == nil, "no row is selected of nothing")
    expect(rows().isEmpty && g_list_model_get_n_items(columns) == 0, "nothing is left")
  }
  expect(LiveObjects.count == 0, "the table is released")
  expect(Probe.alive == 0, "what the table shows is released")
}
