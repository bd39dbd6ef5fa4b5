import EntranceKit
import Gtk
import Localization

/// The dialog that asks for an organization: shows the state of an ``OrganizationModel``.
@MainActor
final class OrganizationDialog: EntryDialog, Presentable {
  private let model: OrganizationModel
  private var observer: Observer?

  /// Makes the dialog; it is not shown yet.
  init(_ model: OrganizationModel) {
    self.model = model
    super.init(
      title: tr("Another Organization"), explanation: model.explanation, button: tr("_Sign In"),
      rows: [EntryRow(title: tr("Directory (tenant) ID or Domain"))])
    observer = model.changes.add { [weak self] in self?.show($0) }
  }

  override func submit() { model.submit(rows[0].text) }

  private func show(_ state: OrganizationModel.State) {
    if state.isDone { return window.close() }
    show(problem: state.problem)
  }
}
