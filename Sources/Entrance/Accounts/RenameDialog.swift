import EntranceKit
import Gtk
import Localization

/// The question for a name of the user's own for an account.
@MainActor
final class RenameDialog {
  private let dialog: MessageDialog
  private let entry = EntryRow(title: tr("Name"))

  /// Creates the question over `parent`; it is not shown yet.
  init(for row: AccountRow, over parent: Window) {
    dialog = MessageDialog(
      over: parent, title: tr("Rename Account"),
      text: tr(
        "Only this app shows the name. Without one, it shows {username}.",
        ["username": row.username]))
    dialog.addAnswer("cancel", tr("_Cancel"))
    dialog.addAnswer("rename", tr("_Rename"), .suggested)
    dialog.setAnswers(forEnter: "rename", forEscape: "cancel")
    entry.text = row.ownName ?? ""
    let list = ListBox()
    list.show([entry])
    list.makeBoxed()
    dialog.setContent(list)
    entry.onEnter { [weak self] in self?.dialog.answer("rename") }
  }

  /// Shows the question.
  ///
  /// - Parameter rename: called with the name, which is empty for none, or nil if the user cancels.
  func present(_ rename: @escaping @MainActor (String?) -> Void) {
    dialog.onAnswer { [weak self] answer in rename(answer == "rename" ? self?.entry.text : nil) }
    dialog.present()
    entry.grabFocus()
  }
}
