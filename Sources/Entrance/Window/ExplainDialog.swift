import EntranceKit
import Gtk
import Localization

/// The dialog that explains an error of any program, while it is typed or pasted.
@MainActor
final class ExplainDialog: Presentable {
  let window: Window
  private let errorView: TextView
  private let resultList: ListBox
  private let unknownLabel: Label

  /// Makes the dialog; it is not shown yet.
  init() {
    let builder = Builder(interface: "explain-dialog")
    window = builder.object("window")
    errorView = builder.object("error_view")
    resultList = builder.object("result_list")
    unknownLabel = builder.object("unknown_label")
    errorView.setAccessibleLabel(tr("Error"))
    errorView.buffer.onChange { [weak self] in self?.explain() }
  }

  func begin() { errorView.grabFocus() }

  private func explain() {
    let reading = ErrorReading(errorView.buffer.text)
    resultList.show(reading.rows.map(makeRow))
    resultList.isVisible = !reading.rows.isEmpty
    unknownLabel.text = "\(tr(reading.unknown))\n\(tr(reading.nextStep))"
    unknownLabel.isVisible = reading.rows.isEmpty && !errorView.buffer.isEmpty
  }

  private func makeRow(_ explanation: ErrorReading.Row) -> Widget {
    let row = ActionRow(title: explanation.title, subtitle: explanation.text, subtitleLines: 0)
    row.wrapTitle()
    row.add(Image(icon: "adw-external-link-symbolic"))
    row.tooltip = tr("Open the page about it")
    row.onActivate { [weak self] in self?.window.open(uri: explanation.source) }
    return row
  }
}
