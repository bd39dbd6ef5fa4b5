import EntranceKit
import Gtk
import Localization

/// The question before a sign-out: shows a ``SignOutQuestion``.
@MainActor
final class SignOutDialog: Presentable {
  private let dialog: MessageDialog
  var window: Window { dialog }
  private let rows = ListBox()
  private var buttons: [(choice: SignOutChoice, button: CheckButton)] = []
  private var keys: KeyController?

  /// Creates the question; it is not shown yet.
  ///
  /// - Parameter signOut: called with the choice, unless the user cancels.
  init(_ question: SignOutQuestion, signOut: @escaping @MainActor (SignOutChoice) -> Void) {
    dialog = MessageDialog(title: question.title, text: question.text)
    dialog.addAnswer("cancel", tr("_Cancel"))
    dialog.addAnswer("sign-out", tr("_Sign Out"), .suggested)
    dialog.setAnswers(forEnter: "sign-out", forEscape: "cancel")
    if !question.options.isEmpty { show(question) }
    // The answer comes after the dialog is closed and this object is gone.
    dialog.onAnswer { [buttons] answer in
      if answer == "sign-out" { signOut(buttons.first { $0.button.isOn }?.choice ?? .thisApp) }
    }
  }

  /// Shows what can be chosen.
  private func show(_ question: SignOutQuestion) {
    rows.show(question.options.map(row))
    rows.makeBoxed()
    rows.setAccessibleLabel(question.title)
    dialog.setContent(rows)
    for (choice, button) in buttons where choice == question.selected { button.isOn = true }
    let keys = KeyController(on: dialog)
    keys.onPress { [weak self] in self?.press($0) ?? false }
    self.keys = keys
  }

  func begin() { buttons.first { $0.button.isOn }?.button.grabFocus() }

  /// Handles Enter and the arrow keys on the choices; the list would only move among its rows.
  ///
  /// - Returns: whether it did.
  private func press(_ key: Int) -> Bool {
    guard rows.hasFocus || rows.containsFocus else { return false }
    guard !KeyController.enter.contains(key) else {
      dialog.answer("sign-out")
      return true
    }
    let step = KeyController.down.contains(key) ? 1 : KeyController.up.contains(key) ? -1 : 0
    guard step != 0, let index = buttons.firstIndex(where: \.button.isOn) else { return false }
    let next = buttons[(index + step + buttons.count) % buttons.count].button
    next.isOn = true
    next.grabFocus()
    return true
  }

  private func row(_ option: SignOutQuestion.Option) -> Widget {
    let row = ActionRow(title: option.title, subtitle: option.explanation, subtitleLines: 0)
    let button = CheckButton(with: buttons.first?.button)
    row.wrapTitle()
    row.add(prefix: button)
    row.activate(button)
    // Not before: the row has the button described by its subtitle, too.
    button.setAccessibleDescription(option.explanation)
    row.refuseOwnFocus()
    buttons.append((option.choice, button))
    return row
  }
}
