import AuthCore
import EntranceKit
import Gtk

/// The passphrase dialog for encrypted files: shows the state of a ``PassphraseModel``.
@MainActor
final class PassphraseDialog: Presentable {
  private let model: PassphraseModel
  let window: Window
  private let passphraseRow: EntryRow
  private let repeatRow: EntryRow
  private let problemLabel: Label
  private let spinner: Widget
  private lazy var submit = Action("submit") { [weak self] in self?.handOver() }
  private var observer: Observer?

  /// Makes the dialog; it is not shown yet.
  init(_ model: PassphraseModel) {
    self.model = model
    let builder = Builder(interface: "passphrase-dialog")
    window = builder.object("window")
    passphraseRow = builder.object("passphrase_row")
    repeatRow = builder.object("repeat_row")
    problemLabel = builder.object("problem_label")
    spinner = builder.object("spinner")
    window.title = model.title
    let explanationLabel: Label = builder.object("explanation_label")
    explanationLabel.text = model.explanation
    let ruleLabel: Label = builder.object("rule_label")
    ruleLabel.text = model.rule ?? ""
    ruleLabel.isVisible = model.rule != nil
    let submitButton: Button = builder.object("submit_button")
    submitButton.setLabel(mnemonic: model.button)
    repeatRow.isVisible = model.isNew
    window.insert(ActionGroup([submit]), as: "passphrase")
    passphraseRow.onEnter { [weak self] in self?.goOn() }
    repeatRow.onEnter { [weak self] in self?.handOver() }
    observer = model.changes.add { [weak self] in self?.show($0) }
    show(model.state)
  }

  func begin() { passphraseRow.grabFocus() }

  func end() { clear() }

  /// Handles Enter in the first field.
  private func goOn() {
    if model.isNew { repeatRow.grabFocus() } else { handOver() }
  }

  private func handOver() {
    model.submit(Secret(passphraseRow.text), repeated: Secret(repeatRow.text))
  }

  private func show(_ state: PassphraseModel.State) {
    if state.isDone { return window.close() }
    submit.isEnabled = !state.isBusy
    spinner.isVisible = state.isBusy
    passphraseRow.isSensitive = !state.isBusy
    repeatRow.isSensitive = !state.isBusy
    problemLabel.text = state.problem ?? ""
    problemLabel.isVisible = state.problem != nil
    // A screen reader reads it with the field, which is about to get the focus.
    passphraseRow.setAccessibleDescription(state.problem ?? model.rule ?? model.explanation)
    if state.problem != nil {
      // The rejected text is useless, and a screen reader would read the selection.
      clear()
      // Shrink to the content's height.
      window.defaultSize.height = -1
      passphraseRow.grabFocus()
    }
  }

  /// Removes the passphrases from the widgets.
  private func clear() {
    for row in [passphraseRow, repeatRow] { row.text = "" }
  }
}
