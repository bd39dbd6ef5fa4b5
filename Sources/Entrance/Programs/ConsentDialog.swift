import AuthCore
import EntranceKit
import Gtk
import Localization

/// Asks in a window of the app whether a program may have a token.
@MainActor
final class ConsentDialog: ConsentPresenter {
  /// Takes the answer to the question with an ID.
  var onAnswer: (@MainActor (String, ProgramConsent.Reply) -> Void)?

  private let preferences: Preferences
  private let parent: @MainActor () -> Window?
  private var shown: (question: ConsentQuestion, dialog: MessageDialog)?
  private var observer: Observer?

  /// - Parameter parent: the window to ask in; nil when there is none.
  init(_ preferences: Preferences, over parent: @escaping @MainActor () -> Window?) {
    self.preferences = preferences
    self.parent = parent
    observer = preferences.changes.add { [weak self] key in
      if key == .hidesPersonalDetails { self?.renewText() }
    }
  }

  var isAvailable: Bool { parent() != nil }

  func show(_ question: ConsentQuestion) -> Bool {
    guard let parent = parent() else { return false }
    let text = ConsentText(question.request, preferences)
    let dialog = MessageDialog(title: text.title, text: text.body)
    // None stands out: the app does not know whether the person started the program.
    dialog.addAnswer(ProgramConsent.Reply.deny.rawValue, tr("_Deny"))
    dialog.addAnswer(ProgramConsent.Reply.once.rawValue, tr("Allow _Once"))
    dialog.addAnswer(ProgramConsent.Reply.always.rawValue, tr("_Always Allow"))
    // Nothing is allowed by a key that was meant for another window.
    dialog.setAnswers(
      forEnter: ProgramConsent.Reply.deny.rawValue, forEscape: ProgramConsent.Reply.closed.rawValue)
    dialog.setTransient(for: parent)
    dialog.onAnswer { [weak self] answer in
      self?.take(ProgramConsent.Reply(rawValue: answer) ?? .closed, to: question)
    }
    // The answer comes after the dialog is closed.
    dialog.onClosed { [weak self] in
      MainLoop.whenIdle { self?.take(.closed, to: question) }
    }
    shown = (question, dialog)
    dialog.present()
    return true
  }

  private func renewText() {
    guard let (question, dialog) = shown else { return }
    dialog.setText(ConsentText(question.request, preferences).body)
  }

  func withdraw(_ question: ConsentQuestion) { shown.take()?.dialog.close() }

  private func take(_ reply: ProgramConsent.Reply, to question: ConsentQuestion) {
    guard shown?.question == question else { return }
    shown = nil
    onAnswer?(question.id, reply)
  }
}
