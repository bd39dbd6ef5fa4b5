import AuthCore
import EntranceKit
import Gtk
import Localization

/// Shown while the user signs in with the browser.
@MainActor
final class BrowserDialog: Presentable {
  private let request: WebAuthenticationRequest
  private let model: AccountModel
  private let secrets: SecretClipboard
  let window: Window
  private let toasts: ToastOverlay
  private let pasteBox: Box
  private let addressRow: EntryRow
  private let problemLabel: Label
  private let announcer: WindowAnnouncer

  /// Makes the dialog; it is not shown yet.
  ///
  /// - Parameters:
  ///   - hint: what to do if the sign-in service rejects the redirect, or the browser warns.
  ///   - secrets: copies the link.
  init(
    _ request: WebAuthenticationRequest, hint: String?, _ model: AccountModel,
    _ secrets: SecretClipboard
  ) {
    (self.request, self.model, self.secrets) = (request, model, secrets)
    let builder = Builder(interface: "browser-dialog")
    window = builder.dialog()
    toasts = builder.object("toast_overlay")
    pasteBox = builder.object("paste_box")
    addressRow = builder.object("address_row")
    problemLabel = builder.object("problem_label")
    // On a small screen, or with large text, what is wrong would be below the end of the dialog.
    let scroller: ScrolledWindow = builder.object("scroller")
    scroller.keepFocusInSight(with: builder.object("address_box") as Widget)
    let hintLabel: Label = builder.object("hint_label")
    hintLabel.show(ifAny: hint)
    let explanationLabel: Label = builder.object("explanation_label")
    announcer = WindowAnnouncer(window: window)
    announcer.announce([explanationLabel.text, hint].compactMap(\.self).joined(separator: " "))
    for name in ["page_row", "way_row"] {
      let row: Box = builder.object(name)
      row.layOutAsButtonRow()
    }
    for name in ["way_label", "way_row"] {
      let widget: Widget = builder.object(name)
      widget.isVisible = model.ways.count > 1
    }
    let windowButton: Button = builder.object("window_button")
    windowButton.isVisible = model.ways.contains(.embedded)
    let codeButton: Button = builder.object("code_button")
    codeButton.isVisible = model.ways.contains(.code)
    window.insert(
      ActionGroup([
        Action("open-again") { [weak model] in model?.window.tokens.openBrowserAgain() },
        Action("copy-link") { [weak self] in self?.copyLink() },
        Action("paste") { [weak self] in self?.askForAddress() },
        Action("use-code") { [weak model] in model?.signIn(by: .code) },
        Action("use-window") { [weak model] in model?.signIn(by: .embedded) },
      ]), as: "sign-in")
    addressRow.onChange { [weak self] in self?.take(isComplete: false) }
    addressRow.onEnter { [weak self] in self?.take(isComplete: true) }
  }

  /// Forgets the address, which has the code of this sign-in.
  func end() { addressRow.text = "" }

  /// Copies the address of the first page, for another browser.
  private func copyLink() {
    toasts.show(Toast(secrets.copy(request.link, from: window, saying: tr("Link copied"))))
  }

  private func askForAddress() {
    pasteBox.isVisible = true
    // What is pasted replaces an address that was wrong.
    addressRow.grabFocusSelecting()
  }

  /// Ends the wait when the typed address is the right one.
  private func take(isComplete: Bool) {
    let address = addressRow.text.filter { !$0.isWhitespace }
    let isRight = model.window.tokens.resumeSignIn(with: address)
    problemLabel.show(
      problem: isComplete && !isRight
        ? tr("This is not the address of the last page of this sign-in. Copy the whole address.")
        : nil, isAnswer: true)
  }
}
