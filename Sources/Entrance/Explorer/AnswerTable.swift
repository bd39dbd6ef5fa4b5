import AuthCore
import EntranceKit
import Gtk

/// The items of the Explorer's answer as a table.
@MainActor
final class AnswerTable {
  /// The widget.
  let widget: Widget
  private let items: ColumnItems
  private var answer: ExplorerAnswer?
  /// The answer whose items are in the table.
  private var shown: Int?

  /// Takes its widgets from the file of the answer.
  init(_ builder: Builder) {
    widget = builder.object("table_scroller")
    items = ColumnItems(in: builder.object("table"))
  }

  /// Calls `handler` with the row that a person opens.
  func onActivate(_ handler: @escaping @MainActor (Int) -> Void) { items.onActivate(handler) }

  /// The cells of the selected row for a spreadsheet; nil when no row is selected.
  var selectedText: String? {
    guard let answer, shown == answer.id, let row = items.selected else { return nil }
    return answer.table?.copiedText(row: row)
  }

  /// Shows the items of `answer`; later if the table is not in sight, because GTK makes the widgets
  /// of 200 rows.
  func show(_ answer: ExplorerAnswer?, isInSight: Bool) {
    self.answer = answer
    if let shown, shown != answer?.id || answer?.table == nil {
      items.show(nil)
      self.shown = nil
    }
    if isInSight {
      fill()
    } else {
      MainLoop.whenIdle { [weak self] in self?.fill() }
    }
  }

  private func fill() {
    guard let answer, let table = answer.table, shown != answer.id else { return }
    shown = answer.id
    let order = table.shownOrder
    items.show(
      ColumnItems.Content(
        columns: order.map { table.columns[$0].shown(upTo: 100) },
        count: min(table.count, GraphTable.shownRows),
        text: { table.shownText(row: $0, column: order[$1]) },
        precedes: { table.precedes($0, $1, by: order[$2]) }))
  }
}
