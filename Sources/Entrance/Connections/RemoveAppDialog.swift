import Gtk
import Localization

/// The question before an app is removed that has accounts.
@MainActor
final class RemoveAppDialog: Presentable {
  private let dialog: MessageDialog
  var window: Window { dialog }

  /// Creates the question; it is not shown yet.
  ///
  /// - Parameters:
  ///   - name: the app's name.
  ///   - warning: who is signed in with it, and what removing it means for them.
  ///   - remove: called with whether to sign the accounts out before, unless the user cancels.
  init(
    _ name: String, warning: String, remove: @escaping @MainActor (_ signsOut: Bool) -> Void
  ) {
    dialog = MessageDialog(title: tr("Remove “{name}”?", ["name": name]), text: warning)
    dialog.addAnswer("cancel", tr("_Cancel"))
    dialog.addAnswer("keep", tr("Remove and _Keep Accounts"))
    dialog.addAnswer("sign-out", tr("Remove and _Sign Out"), .destructive)
    dialog.setAnswers(forEnter: "cancel", forEscape: "cancel")
    // The answer comes after the dialog is closed.
    dialog.onAnswer { if $0 != "cancel" { remove($0 == "sign-out") } }
  }
}
