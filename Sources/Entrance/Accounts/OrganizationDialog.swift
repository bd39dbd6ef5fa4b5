import EntranceKit
import Gtk

/// The dialog that asks for an organization: shows the state of an ``OrganizationModel``.
@MainActor
final class OrganizationDialog {
  private let model: OrganizationModel
  private let window: Window
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
    show(model.state)
  }

  /// Shows the dialog over `parent` until the sign-in begins or it is canceled.
  func present(over parent: Window, whenClosed: @escaping @MainActor () -> Void) {
    window.setTransient(for: parent)
    row.onEnter { [weak self] in self?.submit() }
    observer = model.changes.add { [weak self] in self?.show($0) }
    window.onClosed { [weak self] in
      self?.observer = nil
      whenClosed()
    }
    window.present()
    row.grabFocus()
  }

  /// Cancels the dialog.
  func close() { window.close() }

  private func submit() { model.submit(row.text) }

  private func show(_ state: OrganizationModel.State) {
    if state.isDone { return window.close() }
    problemLabel.text = state.problem ?? ""
    problemLabel.isVisible = state.problem != nil
    // A screen reader reads it with the field, which gets the focus.
    row.setAccessibleDescription(state.problem ?? model.explanation)
    guard state.problem != nil else { return }
    // Grow to the content's height.
    window.defaultSize.height = -1
    row.grabFocus()
  }
}
