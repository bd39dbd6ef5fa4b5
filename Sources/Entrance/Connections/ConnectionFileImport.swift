import Connections
import EntranceKit
import Gtk
import Localization

/// Adds an app from a file that describes one: asks for the file, or takes one that is dropped, and has
/// the form shown that is filled in with it.
@MainActor
final class ConnectionFileImport {
  private let list: ConnectionList
  private let window: Window
  private let chooser: FileChooser
  private let showToast: @MainActor (String) -> Void
  private let showForm: @MainActor (ConnectionEditor) -> Void

  /// Adds apps to `list`, with dialogs over `window`.
  ///
  /// - Parameters:
  ///   - showToast: shows a short message.
  ///   - showForm: shows the form of the new app.
  init(
    _ list: ConnectionList, over window: Window,
    showToast: @escaping @MainActor (String) -> Void,
    showForm: @escaping @MainActor (ConnectionEditor) -> Void
  ) {
    self.list = list
    self.window = window
    (self.showToast, self.showForm) = (showToast, showForm)
    chooser = FileChooser(showToast: showToast)
  }

  /// *Add From File…*: asks for the file.
  func ask() {
    chooser.ask(over: window) {
      FileDialog(over: $0, title: tr("Add App From File"))
    } whenChosen: { [weak self] in
      self?.read($0)
    }
  }

  /// Takes files that are dropped on `widget`.
  func takeDrops(on widget: Widget) {
    _ = FileDrop(on: widget) { [weak self] in self?.takeDrop($0) ?? false }
  }

  private func takeDrop(_ paths: [String]) -> Bool {
    guard let path = paths.first, !list.state.isLocked else { return false }
    if paths.count > 1 { showToast(tr("One file can be imported at a time.")) }
    read(path)
    return true
  }

  private func read(_ path: String) {
    Task { [weak self, list] in
      do throws(ConnectionList.ImportFailure) {
        let editor = try await list.importFile(path)
        self?.showForm(editor)
      } catch {
        guard let self else { return }
        Self.tell(error.text, over: window)
      }
    }
  }

  /// Says why nothing was imported from the clipboard.
  static func tell(_ error: ConnectionFileError, over window: Window) {
    tell(
      tr("The clipboard cannot be imported: {reason}.", ["reason": tr(error.sentence)]),
      over: window)
  }

  /// Says why nothing was imported, which is too long for a toast.
  private static func tell(_ text: String, over window: Window) {
    let dialog = MessageDialog(title: tr("Nothing Was Imported"), text: text)
    dialog.addAnswer("close", tr("_Close"))
    dialog.setAnswers(forEnter: "close", forEscape: "close")
    dialog.ask(over: window, for: "close") {}
  }
}
