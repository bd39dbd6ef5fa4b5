import AuthCore
import Gtk
import Localization

/// Asks for the address on which a sign-in in another browser ended.
@MainActor
final class PasteDialog: EntryDialog {
  private let request: WebAuthenticationRequest
  private let accept: @MainActor (String) -> Void

  /// Makes the dialog; it is not shown yet.
  ///
  /// - Parameter accept: called with the address that answers `request`.
  init(
    _ request: WebAuthenticationRequest, accept: @escaping @MainActor (String) -> Void
  ) {
    self.request = request
    self.accept = accept
    super.init(
      title: tr("Paste Address"),
      explanation: tr(
        "After you have signed in with the copied link, the other browser cannot open the last"
          + " address. Copy that address and paste it here. It begins with “{redirect}”.",
        ["redirect": request.redirectURI.description]),
      button: tr("_Sign In"), rows: [EntryRow(title: tr("Address"))])
    window.defaultSize = (440, 320)
    canSubmit = false
    rows[0].onChange { [weak self] in self?.follow() }
  }

  /// Shows the dialog over `parent`.
  func present(over parent: Window, whenClosed: @escaping @MainActor () -> Void) {
    window.setTransient(for: parent)
    window.onClosed { [weak self] in
      // It can hold a code.
      self?.end()
      whenClosed()
    }
    window.present()
    begin()
  }

  private var address: PastedAddress { PastedAddress(rows[0].text) }

  private func follow() {
    canSubmit = !address.url.isEmpty
    show(problem: nil)
  }

  override func submit() {
    let address = address
    guard let fault = address.fault(for: request) else {
      window.close()
      return accept(address.url)
    }
    switch fault {
    case .notTheRedirect:
      show(
        problem: tr(
          "This is not the last address of the sign-in. It must begin with “{redirect}”.",
          ["redirect": request.redirectURI.description]))
    case .otherSignIn:
      show(
        problem: tr(
          "This address belongs to another sign-in. Copy the link again, sign in with it, and paste"
            + " the last address."))
    }
  }
}
