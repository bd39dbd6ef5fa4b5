import EntranceKit
import Gtk
import Localization

/// Asks before a request that cannot be undone, or tells what does not fit in a toast.
@MainActor
final class QuestionDialog: Presentable {
  let window: Window

  init(_ question: ExplorerQuestion, proceed: @escaping @MainActor () -> Void) {
    let dialog = MessageDialog(title: question.title, text: question.text)
    window = dialog
    dialog.addAnswer("cancel", question.answer == nil ? tr("_Close") : tr("_Cancel"))
    if let answer = question.answer { dialog.addAnswer("proceed", answer, .destructive) }
    dialog.setAnswers(forEnter: "cancel", forEscape: "cancel")
    dialog.takeOver()
    dialog.onAnswer { if $0 == "proceed" { proceed() } }
  }
}
