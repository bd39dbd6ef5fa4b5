import EntranceKit
import Gtk
import Localization

/// What differs between the Explorer's answer and one that was kept: a bar and a list.
@MainActor
final class ComparisonView {
  /// Says what is compared; hidden while nothing is.
  let bar: Box
  /// The differences.
  let list: Widget
  /// Called when the list is to be offered or not.
  var onChange: @MainActor () -> Void = {}
  private let keptLabel: Label
  private let resultLabel: Label
  private let listView: ListView
  private var items: ListItems<DifferenceRow>?

  private var model: ExplorerComparison?
  private var observer: Observer?
  private var state: ExplorerComparison.State { model?.state ?? .init() }

  /// Creates a view that compares nothing.
  init() {
    let builder = Builder(interface: "explorer-differences")
    bar = builder.object("bar")
    list = builder.object("scroller")
    keptLabel = builder.object("kept_label")
    resultLabel = builder.object("result_label")
    listView = builder.object("list")
    items = ListItems(in: listView) {
      DifferenceRow()
    } show: { [weak self] row, index in
      guard let rows = self?.state.rows, rows.indices.contains(index) else { return }
      row.show(rows[index])
    }
  }

  /// Whether there are differences, or may be soon: who looks at them sees those of the next answer.
  var isOffered: Bool { !state.rows.isEmpty || state.isSearching }

  /// The actions of its buttons.
  var actions: [Action] { [keep, stop] }

  /// *Keep for Comparison*.
  private(set) lazy var keep = Action("keep") { [weak self] in self?.model?.keep() }
  private lazy var stop = Action("stop-comparing") { [weak self] in self?.model?.stop() }

  /// Compares the answers of `model` from now on.
  func follow(_ model: ExplorerModel?) {
    self.model = model.map { ExplorerComparison($0) }
    observer = self.model?.changes.add { [weak self] _ in self?.draw() }
    draw()
  }

  private func draw() {
    bar.isVisible = state.kept != nil
    keptLabel.text = state.kept.map { tr("Compared with {answer}", ["answer": $0]) } ?? ""
    keptLabel.tooltip = state.kept
    resultLabel.text = state.text ?? ""
    items?.replace(count: state.rows.count)
    onChange()
  }
}

/// A place that differs.
@MainActor
final class DifferenceRow: ListRow {
  let widget: Widget
  private(set) var accessibleLabel = ""

  private let kind = Label("")
  private let path = Label("")
  private let values = Label("")

  init() {
    let column = Box(column: [kind, path, values], spacing: 3)
    widget = column
    for label in [kind, path, values] {
      label.alignToStart()
      label.wrap()
    }
    // JSONPath and JSON are written left to right in every language.
    path.isRightToLeft = false
    kind.set(styleClass: "caption-heading", to: true)
    path.set(styleClass: "monospace", to: true)
    values.set(styleClass: "dim-label", to: true)
    column.set(styleClass: "activity-row", to: true)
  }

  /// Shows a difference.
  func show(_ row: ExplorerComparison.Row) {
    kind.text = row.kind
    path.text = row.path
    values.text = row.lines.joined(separator: "\n")
    accessibleLabel = ([row.kind, row.path] + row.lines).joined(separator: ", ")
  }
}
