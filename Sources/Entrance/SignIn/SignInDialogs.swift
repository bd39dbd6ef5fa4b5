import AuthCore
import EntranceKit
import Gtk
import Sentences

/// The dialog for the current step of a sign-in, if it needs one.
@MainActor
final class SignInDialogs {
  private enum Shown {
    case browser(BrowserDialog)
    case code(CodeDialog)
  }

  private var shown: Shown?
  private var step: SignInStep?

  /// Shows the dialog for `step` over `parent`, and closes the previous one.
  func show(_ step: SignInStep?, of model: AccountModel?, over parent: Window?) {
    guard step != self.step else { return }
    defer { self.step = step }
    switch (step, shown) {
    case (.browser(let request, let hint), _):
      close()
      guard let model, let parent else { return }
      let dialog = BrowserDialog(request, hint: hint, model)
      shown = .browser(dialog)
      dialog.present(over: parent) { [weak self, weak model, weak dialog] in
        if case .browser(let current) = self?.shown, current === dialog { self?.end(model) }
      }
    case (.code, _), (.expiredCode, _):
      guard let model, let parent else { return close() }
      codeDialog(of: model, over: parent).show(step)
    default: close()
    }
  }

  private func codeDialog(
    of model: AccountModel, over parent: Window
  ) -> CodeDialog {
    if case .code(let dialog) = shown { return dialog }
    close()
    let dialog = CodeDialog(model)
    shown = .code(dialog)
    dialog.present(over: parent) { [weak self, weak model, weak dialog] in
      if case .code(let current) = self?.shown, current === dialog { self?.end(model) }
    }
    return dialog
  }

  /// Closes the dialog, if any, without a cancellation.
  func close() {
    step = nil
    switch shown.take() {
    case .browser(let dialog): dialog.close()
    case .code(let dialog): dialog.close()
    case nil: break
    }
  }

  /// The user closed the dialog.
  private func end(_ model: AccountModel?) {
    shown = nil
    model?.window.status.cancel()
  }
}
