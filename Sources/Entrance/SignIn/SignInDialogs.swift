import AuthCore
import EntranceKit
import Gtk

/// The dialog for the current step of a sign-in, if it needs one.
@MainActor
final class SignInDialogs {
  private let presenter: DialogPresenter
  private let secrets: SecretClipboard
  private var shown: (any Presentable)?
  private var step: SignInStep?

  /// - Parameters:
  ///   - presenter: shows them.
  ///   - secrets: copies links.
  init(_ presenter: DialogPresenter, _ secrets: SecretClipboard) {
    (self.presenter, self.secrets) = (presenter, secrets)
  }

  /// Shows the dialog for `step` over `parent`, and closes the previous one.
  func show(_ step: SignInStep?, of model: AccountModel?, over parent: Window?) {
    guard step != self.step else { return }
    defer { self.step = step }
    switch step {
    case .browser(let request, let hint):
      guard let model else { return close() }
      replace(by: BrowserDialog(request, hint: hint, model, secrets), of: model, over: parent)
    case .code, .unreachable, .expiredCode, .declinedCode:
      guard let model else { return close() }
      let dialog = shown as? CodeDialog ?? CodeDialog(model)
      if dialog !== shown { replace(by: dialog, of: model, over: parent) }
      dialog.show(step)
    default: close()
    }
  }

  private func replace(
    by dialog: any Presentable, of model: AccountModel, over parent: Window?
  ) {
    close()
    shown = dialog
    presenter.present(dialog, over: parent) { [weak self, weak model, weak dialog] in
      guard let self, shown === dialog else { return }
      // The user closed it.
      shown = nil
      model?.window.status.cancel()
    }
  }

  /// Closes the dialog, if any, without a cancellation.
  func close() {
    step = nil
    shown.take()?.close()
  }
}
