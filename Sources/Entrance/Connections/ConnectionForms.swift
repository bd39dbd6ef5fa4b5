import Connections
import EntranceKit
import Gtk

/// Opens the forms of apps over a main window, and the files that have them.
@MainActor
final class ConnectionForms {
  private let list: ConnectionList
  private let window: MainWindow
  private let create: @MainActor (SearchResultID) -> Void
  /// Adds an app from a file.
  private(set) lazy var fileImport = ConnectionFileImport(list, over: window.root) { [weak self] in
    self?.window.showToast($0)
  } showForm: { [weak self] in
    self?.show($0)
  }

  /// Opens the forms of the apps in `list` over `window`.
  ///
  /// - Parameter create: creates an app with an account.
  init(
    _ list: ConnectionList, over window: MainWindow,
    create: @escaping @MainActor (SearchResultID) -> Void
  ) {
    self.list = list
    self.window = window
    self.create = create
  }

  /// Opens the form of a new app, which begins with `page`.
  func add(at page: ConnectionDialog.Page) { show(list.makeEditor(), at: page) }

  /// Opens the form of the app called `name`, if there is one.
  ///
  /// - Parameter field: the field of `apps.json` that gets the keyboard focus; empty for the first
  ///   one that is needed.
  func edit(_ name: String, at field: String) {
    if let editor = list.makeEditor(of: name) { show(editor, focusing: field) }
  }

  /// Opens the form of the entry that has a fault, or the file when no form can correct that.
  func correct() {
    guard let editor = list.makeEditorOfFault() else { return openFile() }
    show(editor)
  }

  /// What corrects an error in the person's own file; nil when no form can.
  func correction(of error: ConnectionFileError) -> (@MainActor () -> Void)? {
    guard error.isInForm, ConnectionFile.isEditable(list.path) else { return nil }
    return { [weak self] in self?.correct() }
  }

  /// What corrects a problem of `connection`; nil when an administrator has set that.
  func correction(
    of problem: ConnectionProblem, in connection: Connection
  ) -> (@MainActor () -> Void)? {
    let row = list.state.connections.first { $0.name == connection.name }
    guard row?.isLocked == false else { return nil }
    return { [weak self] in self?.edit(connection.name, at: problem.field) }
  }

  /// Opens a file with apps in an editor.
  func openFile(_ path: String = EntranceIdentity.connectionsPath) {
    window.root.open(file: path)
  }

  private func show(
    _ editor: ConnectionEditor, at page: ConnectionDialog.Page = .form, focusing field: String = ""
  ) {
    ConnectionDialog.present(
      editor, at: page, focusing: field, over: window.root, by: window.presenter,
      asking: list.hidesForms, onCreate: create)
  }
}
