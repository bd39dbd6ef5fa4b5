import EntranceKit
import Gtk
import Localization

/// The rows of the permissions: shows the state of a ``PermissionsModel``.
@MainActor
final class PermissionsView {
  private let group: PreferencesGroup
  private let entry: EntryRow
  private let problemLabel: Label
  private let model: PermissionsModel
  private var rows: [ActionRow] = []
  private var observer: Observer?

  /// Shows `model` in `group`, whose other widgets come from `builder`.
  init(_ builder: Builder, _ group: PreferencesGroup, _ model: PermissionsModel) {
    self.group = group
    self.model = model
    entry = builder.object("permission_row")
    problemLabel = builder.object("permission_problem")
    entry.showApplyButton()
    entry.onApply { [weak self] in self?.add() }
    observer = model.changes.add { [weak self] in self?.show($0) }
    show(model.state)
  }

  private func add() {
    if model.add(entry.text) { entry.text = "" }
  }

  private func show(_ state: PermissionsModel.State) {
    group.setDescription(
      state.isLocked
        ? tr("Requested by “{app}”. Set by your administrator.", ["app": model.app])
        : tr("Requested by “{app}”", ["app": model.app]))
    entry.isVisible = !state.isLocked
    entry.set(styleClass: "error", to: state.problem != nil)
    problemLabel.show(problem: state.problem)
    for row in rows { group.remove(row) }
    rows = state.scopes.map { row($0, canRemove: state.canRemove) }
    for row in rows { group.add(row) }
  }

  private func row(_ scope: String, canRemove: Bool) -> ActionRow {
    let row = ActionRow(title: scope, subtitle: "", subtitleLines: 1)
    row.wrapTitle()
    guard canRemove else { return row }
    let button = Button(
      icon: "user-trash-symbolic", name: tr("Remove “{name}”", ["name": scope]))
    button.onClick { [weak self] in
      self?.model.remove(scope)
      // The button is gone.
      self?.entry.grabFocus()
    }
    row.add(button)
    return row
  }
}
