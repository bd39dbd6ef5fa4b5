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
    resultList.show(reading.explanations.map(makeRow))
    resultList.isVisible = !reading.explanations.isEmpty
    unknownLabel.text = "\(tr(reading.unknown))\n\(tr(reading.nextStep))"
    unknownLabel.isVisible = reading.explanations.isEmpty && !text.isEmpty
    let meanings = reading.explanations.map { tr($0.meaning) }
    announcer.say((meanings + unknownLabel.visibleTexts).joined(separator: "\n"))
  }

  private func makeRow(_ explanation: ErrorExplanation) -> Widget {
    let row = ActionRow(
      title: tr(explanation.meaning), subtitle: explanation.advice, subtitleLines: 0)
    row.wrapTitle()
    row.add(Image(icon: "adw-external-link-symbolic"))
    row.tooltip = tr("Open the page about it")
    row.describeBySubtitle()
    row.onActivate { [weak self] in self?.window.open(uri: explanation.source) }
    return row
  }
}
