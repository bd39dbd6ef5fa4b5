import EntranceKit
import Gtk
import Localization

/// The question for a name of the user's own for an account.
@MainActor
final class RenameDialog: Presentable {
  private let dialog: MessageDialog
  var window: Window { dialog }
  private let entry = EntryRow(title: tr("Name"))

  /// Creates the question; it is not shown yet.
  ///
  /// - Parameters:
  ///   - name: the name so far; empty while it is not to be seen.
  ///   - rename: called with the name, which is empty for none.
  init(for row: AccountRow, named name: String, rename: @escaping @MainActor (String) -> Void) {
    dialog = MessageDialog(
      title: tr("Rename Account"),
      text: tr(
        "This name is shown only in Entrance. Leave it empty to show {username}.",
        ["username": row.defaultHeading]))
    dialog.addAnswer("cancel", tr("_Cancel"))
    dialog.addAnswer("rename", tr("_Rename"), .suggested)
    dialog.setAnswers(forEnter: "rename", forEscape: "cancel")
    entry.text = name
    let list = ListBox()
    list.show([entry])
    list.makeBoxed()
    dialog.setContent(list)
    entry.onEnter { [weak self] in self?.dialog.answer("rename") }
    // The answer comes after the dialog is closed and this object is gone.
    dialog.onAnswer { [entry] in
      if $0 == "rename" { rename(entry.text == row.defaultHeading ? "" : entry.text) }
    }
  }

  func begin() { entry.grabFocus() }
}
