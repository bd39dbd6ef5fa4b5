import AuthCore
import EntranceKit
import Gtk
import Localization

/// The passphrase dialog for encrypted files: shows the state of a ``PassphraseModel``.
@MainActor
final class PassphraseDialog: EntryDialog, Presentable {
  private let model: PassphraseModel
  private var observer: Observer?

  /// Makes the dialog; it is not shown yet.
  init(_ model: PassphraseModel) {
    self.model = model
    let titles = model.isNew ? [tr("Passphrase"), tr("Confirm")] : [tr("Passphrase")]
    super.init(
      title: model.title, explanation: model.explanation, rule: model.rule, button: model.button,
      rows: titles.map { EntryRow(password: $0) })
    if !model.isNew { makeProblemSelectable() }
    observer = model.changes.add { [weak self] in self?.show($0) }
  }

  override func submit() {
    model.submit(Secret(rows[0].text), repeated: Secret(rows[rows.count - 1].text))
  }

  private func show(_ state: PassphraseModel.State) {
    if state.isDone { return window.close() }
    isBusy = state.isBusy
    show(problem: state.problem)
  }
}
