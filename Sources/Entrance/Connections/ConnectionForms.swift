import Connections
import EntranceKit
import Gtk
import Localization

/// Opens the forms of apps over a window, and the files that have them.
@MainActor
final class ConnectionForms {
  private let list: ConnectionList
  private let window: Window
  private let presenter: DialogPresenter
  private let showToast: @MainActor (String) -> Void
  private let onAdd: @MainActor (String) -> Void
  private let create: @MainActor (SearchResultID) -> Void
  /// Adds an app from a file.
  private(set) lazy var fileImport = ConnectionFileImport(
    list, over: window, showToast: showToast
  ) { [weak self] in self?.show($0) }

  /// Opens the forms of the apps in `list` over `window`.
  ///
  /// - Parameters:
  ///   - presenter: shows them.
  ///   - create: creates an app with an account.
  ///   - onAdd: gets the name of a new app, after it was saved.
  ///   - showToast: shows a short message.
  init(
    _ list: ConnectionList, over window: Window, by presenter: DialogPresenter,
    create: @escaping @MainActor (SearchResultID) -> Void,
    onAdd: @escaping @MainActor (String) -> Void = { _ in },
    showToast: @escaping @MainActor (String) -> Void
  ) {
    (self.list, self.window, self.presenter) = (list, window, presenter)
    (self.create, self.onAdd, self.showToast) = (create, onAdd, showToast)
  }

  /// Opens the form of a new app, which begins with `page`.
  func add(at page: ConnectionDialog.Page) { show(list.makeEditor(), at: page) }

  /// *Add From Clipboard*: opens the form of a new app, filled in with what the clipboard says of it.
  func paste() {
    guard !list.state.isLocked else { return }
    Task { [weak self] in
      guard let text = await self?.window.clipboardText(), let self, window.isMapped else { return }
      do throws(ConnectionFileError) {
        show(try list.import(text))
      } catch {
        ConnectionFileImport.tell(error, over: window)
      }
    }
  }

  /// Opens the form of the app called `name`, if there is one.
  ///
  /// - Parameter field: the field of `apps.json` that gets the keyboard focus; empty for the first
  ///   one that is needed.
  func edit(_ name: String, at field: String = "") {
    show(list.makeEditor(of: name), focusing: field)
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

  /// Opens a file with apps in an editor: the person's own one, unless another is given.
  func openFile(_ path: String? = nil) { window.open(file: path ?? list.path) }

  /// Shows the form of `editor`, if there is one; asks before while others may see the screen.
  func show(
    _ editor: ConnectionEditor?, at page: ConnectionDialog.Page = .form, focusing field: String = ""
  ) {
    guard let editor else { return }
    let present: @MainActor () -> Void = { [window, presenter, onAdd, create] in
      presenter.present(
        ConnectionDialog(
          editor, at: page, focusing: field, by: presenter, onAdd: onAdd, onCreate: create),
        over: window)
    }
    guard list.hidesForms, !editor.form.draft.clientID.isEmpty else { return present() }
    let question = MessageDialog(
      title: tr("Show Details?"),
      text: tr("Personal details are hidden, but this form has identifiers and addresses."))
    question.addAnswer("cancel", tr("_Cancel"))
    question.addAnswer("show", tr("_Show"), .suggested)
    question.setAnswers(forEnter: "cancel", forEscape: "cancel")
    question.ask(over: window, for: "show", present)
  }
}
