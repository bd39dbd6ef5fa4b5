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
  private let problemBox: Box
  private let problemLabel: Label
  private let toasts: ToastOverlay
  private let presenter: Presenter
  private var observer: Observer?
  private let open: @MainActor (String) -> Void
  private let openInNewWindow: @MainActor (String) -> Void

  /// Makes the window; it is not shown yet.
  ///
  /// - Parameters:
  ///   - presenter: shows its dialogs.
  ///   - open: opens the connection that has this name in the same window.
  ///   - openInNewWindow: opens it in another one.
  init(
    _ list: ConnectionList, presenter: Presenter, open: @escaping @MainActor (String) -> Void,
    openInNewWindow: @escaping @MainActor (String) -> Void
  ) {
    self.list = list
    self.presenter = presenter
    self.open = open
    self.openInNewWindow = openInNewWindow
    let builder = Builder(interface: "connections-window")
    window = builder.object("window")
    rows = builder.object("list")
    emptyLabel = builder.object("empty_label")
    lockBox = builder.object("lock_box")
    problemBox = builder.object("problem_box")
    problemLabel = builder.object("problem_label")
    toasts = builder.object("toast_overlay")
    window.insert(
      ActionGroup([
        add, paste,
        Action("open-file") { [weak self] in self?.openFile() },
      ]), as: "connections")
    observer = list.changes.add { [weak self] in self?.show($0) }
    show(list.state)
  }

  private lazy var add = Action("add") { [weak self] in
    guard let self else { return }
    show(list.makeEditor())
  }
  private lazy var paste = Action("paste") { [weak self] in self?.pasteConnection() }

  // MARK: What the person does

  private func show(_ editor: ConnectionEditor?) {
    guard let editor else { return }
    ConnectionDialog.present(editor, over: window, by: presenter, asking: list.hidesForms)
  }

  private func remove(_ name: String) {
    guard let removed = list.remove(name) else { return }
    let toast = Toast(tr("“{name}” removed", ["name": name]))
    toast.setButton(label: tr("Undo")) { [weak self] in self?.list.restore(removed) }
    toasts.show(toast)
  }

  private func pasteConnection() {
    Task { [weak self] in
      guard let text = await self?.window.clipboardText(), let self else { return }
      do throws(ConnectionFileError) {
        show(try list.import(text))
      } catch {
        toasts.show(Toast(tr("The clipboard has no application (client) ID in it")))
      }
    }
  }

  private func openFile() { window.open(uri: FileMonitor.uri(of: list.path)) }

  // MARK: Drawing

  private func show(_ state: ConnectionList.State) {
    lockBox.isVisible = state.isLocked
    add.isEnabled = !state.isLocked
    paste.isEnabled = !state.isLocked
    problemLabel.text = state.problem ?? ""
    problemBox.isVisible = state.problem != nil
    emptyLabel.isVisible = state.connections.isEmpty && state.problem == nil
    rows.isVisible = !state.connections.isEmpty
    rows.show(state.connections.map { row($0, canAdd: !state.isLocked) })
  }

  private func row(_ connection: ConnectionList.Row, canAdd: Bool) -> Widget {
    let row = ActionRow(title: connection.name, subtitle: connection.details, subtitleLines: 2)
    let (name, isLocked) = (connection.name, connection.isLocked)
    let edit = isLocked ? tr("Show “{name}”", ["name": name]) : tr("Edit “{name}”", ["name": name])
    row.add(
      button(isLocked ? "changes-prevent-symbolic" : "document-edit-symbolic", edit) {
        [weak self] in
        guard let self else { return }
        show(list.makeEditor(of: name))
      })
    if canAdd { addCopying(of: name, to: row) }
    if !isLocked { addRemoving(of: name, to: row) }
    row.add(
      button("window-new-symbolic", tr("Open “{name}” in New Window", ["name": name])) {
        [weak self] in
        self?.openInNewWindow(name)
        self?.window.close()
      })
    row.onActivate { [weak self] in
      self?.open(name)
      self?.window.close()
    }
    return row
  }

  private func addCopying(of name: String, to row: ActionRow) {
    row.add(
      button("edit-copy-symbolic", tr("Duplicate “{name}”", ["name": name])) { [weak self] in
        guard let self else { return }
        show(list.makeEditor(copying: name))
      })
  }

  private func addRemoving(of name: String, to row: ActionRow) {
    row.add(
      button("user-trash-symbolic", tr("Remove “{name}”", ["name": name])) { [weak self] in
        self?.remove(name)
      })
  }

  private func button(
    _ icon: String, _ name: String, _ handler: @escaping @MainActor () -> Void
  ) -> Button {
    let button = Button(icon: icon, name: name)
    button.onClick(handler)
    return button
  }
}
