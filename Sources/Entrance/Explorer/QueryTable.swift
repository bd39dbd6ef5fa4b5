import EntranceKit
import Gtk
import Localization

/// The query of the address as a table: each of the two writes the other.
@MainActor
final class QueryTable {
  /// The table, which can be hidden.
  let widget: Widget
  /// Called with the options when the person has edited them.
  var take: @MainActor ([QueryOption]) -> Void = { _ in }

  private let expander: Expander
  private let table: Box
  private var rows: [QueryRow] = []
  /// Whether the table shows what the address says, which is no wish of the person's.
  private var isDrawing = false

  init() {
    let builder = Builder(interface: "explorer-query")
    expander = builder.object("expander")
    expander.setAccessibleLabel(tr("Query options"))
    widget = expander
    table = builder.object("table")
    show([])
  }

  /// Shows the options of an address, and an empty row for one more.
  func show(_ options: [QueryOption]) {
    guard rows.isEmpty || options != self.options else { return }
    isDrawing = true
    defer { isDrawing = false }
    while rows.count > options.count + 1, let last = rows.popLast() { table.remove(last.widget) }
    while rows.count < options.count + 1 { addRow() }
    for (row, option) in zip(rows, options) { row.option = option }
    rows.last?.option = QueryOption("", "")
  }

  /// Hides it until the person opens it.
  func close() { expander.isExpanded = false }

  /// The options that are in the table.
  private var options: [QueryOption] {
    rows.map(\.option).filter { $0 != QueryOption("", "") }
  }

  private func addRow() {
    let row = QueryRow(number: rows.count + 1)
    row.entered = { [weak self, weak row] in
      guard let self, let row, let index = rows.firstIndex(where: { $0 === row }) else { return }
      // Below the last one, there is nothing to go to.
      if index + 1 < rows.count { rows[index + 1].focus() }
    }
    row.changed = { [weak self] in self?.follow() }
    row.removed = { [weak self, weak row] in
      guard let self, let row, let index = rows.firstIndex(where: { $0 === row }) else { return }
      remove(at: index)
    }
    rows.append(row)
    table.append(row.widget)
  }

  private func remove(at index: Int) {
    // A row that was emptied is no option.
    var left = rows.map(\.option)
    left.remove(at: index)
    left.removeAll { $0 == QueryOption("", "") }
    show(left)
    rows[min(index, rows.count - 1)].focus()
    take(left)
  }

  private func follow() {
    guard !isDrawing else { return }
    if rows.last?.option != QueryOption("", "") { addRow() }
    take(options)
  }
}

/// A row of the table.
@MainActor
private final class QueryRow {
  let widget: Widget
  var changed: @MainActor () -> Void = {}
  var removed: @MainActor () -> Void = {}
  /// Called when Enter is pressed in the value.
  var entered: @MainActor () -> Void = {}

  private let name = Entry()
  private let value = Entry()
  private let removeButton: Button

  init(number: Int) {
    removeButton = Button(icon: "list-remove-symbolic", name: tr("Remove Option"))
    let texts = Box(row: [name, value])
    texts.set(styleClass: "linked", to: true)
    texts.expandHorizontally()
    widget = Box(row: [texts, removeButton], spacing: 6)
    name.setAccessibleLabel(tr("Name {number}", ["number": number]))
    value.setAccessibleLabel(tr("Value {number}", ["number": number]))
    name.setPlaceholder(tr("Name"))
    value.setPlaceholder(tr("Value"))
    name.keepRoom(for: 8)
    value.keepRoom(for: 8)
    value.expandHorizontally()
    for entry in [name, value] {
      // As the address, in every language.
      entry.isRightToLeft = false
      entry.set(styleClass: "monospace", to: true)
      entry.onChange { [weak self] in self?.follow() }
    }
    name.onEnter { [weak self] in self?.value.grabFocus() }
    value.onEnter { [weak self] in self?.entered() }
    removeButton.onClick { [weak self] in self?.removed() }
    removeButton.isSensitive = false
  }

  var option: QueryOption {
    get { QueryOption(name.text, value.text) }
    set {
      if name.text != newValue.name { name.text = newValue.name }
      if value.text != newValue.value { value.text = newValue.value }
    }
  }

  func focus() { name.grabFocus() }

  private func follow() {
    removeButton.isSensitive = option != QueryOption("", "")
    changed()
  }
}
