import Connections
import EntranceKit
import Gtk
import Localization
import Sentences

/// The list of connections: draws what a ``ConnectionList`` says.
@MainActor
final class ConnectionsWindow: Presentable {
  private let list: ConnectionList
  let window: Window
  private let rows: ListBox
  private let emptyLabel: Label
  private let lockBox: Box
  private let lockLabel: Label
  private let problemBox: Box
  private let problemLabel: Label
  private let correctButton: Button
  private let toasts: ToastOverlay
  private let addButton: MenuButton
  private let menu: Object
  private let presenter: DialogPresenter
  private var observer: Observer?
  private lazy var forms = ConnectionForms(list, over: window, by: presenter) {
    [weak self] account in
    self?.leave { $0.create(account) }
  } onAdd: { [weak self] in
    self?.offerToOpen($0)
  } showToast: { [weak self] in
    self?.toasts.show(Toast($0))
  }
  private let current: @MainActor () -> String?
  private let open: @MainActor (ConnectionChoice) -> Void
  private let openInNewWindow: @MainActor (ConnectionChoice) -> Void
  private let create: @MainActor (SearchResultID) -> Void

  /// Makes the window; it is not shown yet.
  ///
  /// - Parameters:
  ///   - current: returns the name of the connection that is open in the same window; nil for
  ///     none.
  ///   - isDemo: whether the demo is open in the same window.
  ///   - presenter: shows its dialogs.
  ///   - open: opens a connection in the same window.
  ///   - openInNewWindow: opens it in another one.
  ///   - create: creates an app with an account.
  init(
    _ list: ConnectionList, current: @escaping @MainActor () -> String?,
    isDemo: Bool, presenter: DialogPresenter,
    open: @escaping @MainActor (ConnectionChoice) -> Void,
    openInNewWindow: @escaping @MainActor (ConnectionChoice) -> Void,
    create: @escaping @MainActor (SearchResultID) -> Void
  ) {
    self.list = list
    self.current = current
    self.presenter = presenter
    self.open = open
    self.openInNewWindow = openInNewWindow
    self.create = create
    let builder = Builder(interface: "connections-window")
    window = builder.dialog()
    addButton = builder.object("add_button")
    menu = builder.object("row_menu")
    rows = builder.object("list")
    emptyLabel = builder.object("empty_label")
    lockBox = builder.object("lock_box")
    lockLabel = builder.object("lock_label")
    problemBox = builder.object("problem_box")
    problemLabel = builder.object("problem_label")
    correctButton = builder.object("correct_button")
    toasts = builder.object("toast_overlay")
    for (name, isOfDemo) in [("demo_label", true), ("leave_button", true), ("demo_button", false)] {
      let widget: Widget = builder.object(name)
      widget.isVisible = isDemo == isOfDemo
    }
    window.insert(
      ActionGroup([
        Action("add") { [weak self] in self?.forms.add(at: .form) },
        Action("register") { [weak self] in self?.forms.add(at: .register) },
        Action("ask") { [weak self] in self?.forms.add(at: .ask) },
        Action("paste") { [weak self] in self?.forms.paste() },
        Action("import-file") { [weak self] in self?.forms.fileImport.ask() },
        Action("demo") { [weak self] in self?.leave { $0.open(.demo) } },
        Action("leave-demo") { [weak self] in self?.leave { $0.open(.lastUsed) } },
        Action("correct") { [weak self] in self?.forms.correct() },
        Action("open-file") { [weak self] in self?.forms.openFile() },
      ]), as: "connections")
    forms.fileImport.takeDrops(on: toasts)
    observer = list.changes.add { [weak self] in self?.show($0) }
    show(list.state)
  }

  // MARK: What the person does

  private func offerToOpen(_ name: String) {
    guard name != current() else { return }
    let toast = Toast(tr("“{name}” added", ["name": name]))
    toast.setButton(label: tr("Open")) { [weak self] in self?.leave { $0.open(.named(name)) } }
    toasts.show(toast)
  }

  /// Asks before accounts would be left behind that nobody could sign out any more.
  private func askToRemove(_ name: String) {
    Task { [weak self] in
      guard let self else { return }
      guard let warning = await list.warning(beforeRemoving: name) else {
        return remove(name, saying: tr("“{name}” removed", ["name": name]))
      }
      // The person may have closed the list while the accounts were read.
      guard window.isMapped else { return }
      let dialog = RemoveAppDialog(name, warning: warning) { [weak self] signsOut in
        Task { [weak self] in
          guard let self else { return }
          guard signsOut else {
            return remove(name, saying: tr("“{name}” removed", ["name": name]))
          }
          guard await list.signOut(of: name) else { return }
          let failures = KeptData.forget(name)
          if !failures.isEmpty { toasts.show(Toast(tr("Some data was not cleared"))) }
          remove(name, saying: tr("“{name}” removed, accounts signed out", ["name": name]))
        }
      }
      presenter.present(dialog, over: window)
    }
  }

  private func remove(_ name: String, saying text: String) {
    guard let removed = list.remove(name) else { return }
    toasts.show(Toast(text) { [weak self] in self?.list.restore(removed) })
  }

  /// Closes the window, and goes on in another one.
  private func leave(_ action: (ConnectionsWindow) -> Void) {
    action(self)
    window.close()
  }

  // MARK: Drawing

  private func show(_ state: ConnectionList.State) {
    lockBox.isVisible = state.isLocked
    lockLabel.text = state.lockReason ?? ""
    addButton.isSensitive = !state.isLocked
    // Before the label in it, or screen readers would not notice that this appears.
    problemBox.isVisible = state.problem != nil
    problemLabel.show(problem: state.problem)
    correctButton.isVisible = state.canCorrect
    emptyLabel.isVisible = state.connections.isEmpty && state.problem == nil
    let hadFocus = rows.containsFocus
    rows.isVisible = !state.connections.isEmpty
    let name = current()
    rows.show(
      state.connections.map { row($0, canAdd: !state.isLocked) },
      selected: state.connections.firstIndex { $0.name == name })
    if hadFocus, !rows.isVisible { addButton.grabFocus() }
  }

  private func row(_ connection: ConnectionList.Row, canAdd: Bool) -> Widget {
    // In a narrow window, an ID goes on in the next line after a hyphen: not every digit lets it.
    let shown = connection.details.replacing("-", with: "-\u{200B}")
    let row = ActionRow(title: connection.name, subtitle: shown, subtitleLines: 2)
    let (name, isLocked) = (connection.name, connection.isLocked)
    row.setAccessibleDescription(connection.details)
    if name == current() {
      let mark = Image(icon: "object-select-symbolic")
      mark.set(styleClass: "mark", to: true)
      row.add(mark)
    }
    let edit = isLocked ? tr("Show “{name}”", ["name": name]) : tr("Edit “{name}”", ["name": name])
    let button = Button(
      icon: isLocked ? "changes-prevent-symbolic" : "document-edit-symbolic", name: edit)
    button.onClick { [weak self] in self?.forms.edit(name) }
    row.add(button)
    row.insert(ActionGroup(actions(of: connection, canAdd: canAdd)), as: "row")
    let actions = tr("Actions for “{name}”", ["name": name])
    row.add(MenuButton(icon: "view-more-symbolic", name: actions, menu: menu))
    row.onActivate { [weak self] in self?.leave { $0.open(.named(name)) } }
    return row
  }

  private func actions(of connection: ConnectionList.Row, canAdd: Bool) -> [Action] {
    let name = connection.name
    let duplicate = Action("duplicate") { [weak self] in
      if let self { forms.show(list.makeEditor(copying: name)) }
    }
    duplicate.isEnabled = canAdd
    let remove = Action("remove") { [weak self] in self?.askToRemove(name) }
    remove.isEnabled = !connection.isLocked
    return [
      Action("open-in-new-window") { [weak self] in
        self?.leave { $0.openInNewWindow(.named(name)) }
      },
      duplicate, remove,
    ]
  }
}
