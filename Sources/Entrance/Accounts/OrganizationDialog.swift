import EntranceKit
import Gtk

/// The dialog that asks for an organization: shows the state of an ``OrganizationModel``.
@MainActor
final class OrganizationDialog: Presentable {
  private let model: OrganizationModel
  let window: Window
  private let row: EntryRow
  private let problemLabel: Label
  private var observer: Observer?

  /// Makes the dialog; it is not shown yet.
  init(_ model: OrganizationModel) {
    self.model = model
    let builder = Builder(interface: "organization-dialog")
    window = builder.object("window")
    row = builder.object("organization_row")
    problemLabel = builder.object("problem_label")
    let explanationLabel: Label = builder.object("explanation_label")
    explanationLabel.text = model.explanation
    window.insert(
      ActionGroup([Action("submit") { [weak self] in self?.submit() }]), as: "organization")
    row.onEnter { [weak self] in self?.submit() }
    observer = model.changes.add { [weak self] in self?.show($0) }
    show(model.state)
  }

  func begin() { row.grabFocus() }

  private func submit() { model.submit(row.text) }

  private func show(_ state: OrganizationModel.State) {
    if state.isDone { return window.close() }
    let saysProblem = !problemLabel.isVisible && ScreenReader.saysNewAlerts
    problemLabel.text = state.problem ?? ""
    problemLabel.isVisible = state.problem != nil
    // A screen reader reads it with the field, which gets the focus.
    row.setAccessibleDescription(state.problem ?? model.explanation)
    guard let problem = state.problem else { return }
    // Grow to the content's height.
    window.defaultSize.height = -1
    row.grabFocus()
    // It may have had the focus.
    if !saysProblem { window.announce(problem) }
  }
}
