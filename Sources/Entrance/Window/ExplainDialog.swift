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
  private lazy var pasted = PastedText(of: errorView) { [weak self] in
    self?.explain($0)
    return nil
  }
  private lazy var announcer = TypingAnnouncer { [weak self] in self?.window.announce($0) }

  /// Makes the dialog; it is not shown yet.
  init() {
    let builder = Builder(interface: "explain-dialog")
    window = builder.dialog()
    errorView = builder.object("error_view")
    resultList = builder.object("result_list")
    unknownLabel = builder.object("unknown_label")
    errorView.setAccessibleLabel(tr("Error"))
    _ = pasted
  }

  func begin() { errorView.grabFocus() }

  private func explain(_ text: String) {
    let reading = ErrorReading(text)
    let (unknown, nextStep) = (tr(reading.unknown), tr(reading.nextStep))
    var rows = reading.explanations.map { makeRow(tr($0.meaning), $0.advice, page: $0.source) }
    if rows.isEmpty, let page = reading.page { rows = [makeRow(unknown, nextStep, page: page)] }
    resultList.show(rows)
    resultList.isVisible = !rows.isEmpty
    unknownLabel.text = "\(unknown)\n\(nextStep)"
    unknownLabel.isVisible = rows.isEmpty && !text.isEmpty
    let meanings = reading.explanations.map { tr($0.meaning) }
    let isUnknown = meanings.isEmpty && !text.isEmpty
    announcer.say(isUnknown ? unknownLabel.text : meanings.joined(separator: "\n"))
  }

  /// A row that opens the page about an error.
  private func makeRow(_ title: String, _ subtitle: String, page: String) -> Widget {
    let row = ActionRow(title: title, subtitle: subtitle, subtitleLines: 0)
    row.wrapTitle()
    row.add(Image(icon: "adw-external-link-symbolic"))
    row.tooltip = tr("Open the page about it")
    row.describeBySubtitle()
    row.onActivate { [weak self] in self?.window.open(page: page) }
    return row
  }
}
