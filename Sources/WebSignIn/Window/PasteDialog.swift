import AuthCore
import Gtk
import Localization

/// Asks for the address on which a sign-in in another browser ended.
@MainActor
final class PasteDialog {
  private let request: WebAuthenticationRequest
  private let window: Window
  private let addressRow: EntryRow
  private let problemLabel: Label
  private let explanation: String
  private let accept: @MainActor (String) -> Void
  private lazy var submit = Action("submit") { [weak self] in self?.handOver() }

  /// Makes the dialog; it is not shown yet.
  ///
  /// - Parameter accept: called with the address that answers `request`.
  init(
    _ request: WebAuthenticationRequest, accept: @escaping @MainActor (String) -> Void
  ) {
    self.request = request
    self.accept = accept
    let builder = Builder(interface: "paste-dialog")
    window = builder.object("window")
    addressRow = builder.object("address_row")
    problemLabel = builder.object("problem_label")
    let explanationLabel: Label = builder.object("explanation_label")
    explanation = tr(
      "After you have signed in with the copied link, the other browser cannot open the last"
        + " address. Copy that address and paste it here. It begins with “{redirect}”.",
      ["redirect": request.redirectURI.description])
    explanationLabel.text = explanation
    window.insert(ActionGroup([submit]), as: "paste")
    submit.isEnabled = false
  }

  /// Shows the dialog over `parent`.
  func present(over parent: Window, whenClosed: @escaping @MainActor () -> Void) {
    window.setTransient(for: parent)
    addressRow.setAccessibleDescription(explanation)
    addressRow.onEnter { [weak self] in self?.handOver() }
    addressRow.onChange { [weak self] in self?.follow() }
    window.onClosed { [weak self] in
      // It can hold a code.
      self?.addressRow.text = ""
      whenClosed()
    }
    window.present()
    addressRow.grabFocus()
  }

  /// Closes it.
  func close() { window.close() }

  private var address: PastedAddress { PastedAddress(addressRow.text) }

  private func follow() {
    submit.isEnabled = !address.url.isEmpty
    show(problem: nil)
  }

  private func handOver() {
    let address = address
    guard !address.url.isEmpty else { return }
    guard let fault = address.fault(for: request) else {
      window.close()
      return accept(address.url)
    }
    let problem =
      switch fault {
      case .notTheRedirect:
        tr(
          "This is not the last address of the sign-in. It must begin with “{redirect}”.",
          ["redirect": request.redirectURI.description])
      case .otherSignIn:
        tr(
          "This address belongs to another sign-in. Copy the link again, sign in with it, and paste"
            + " the last address.")
      }
    show(problem: problem)
    addressRow.grabFocus()
  }

  private func show(problem: String?) {
    problemLabel.text = problem ?? ""
    problemLabel.isVisible = problem != nil
    // A screen reader reads it with the field.
    addressRow.setAccessibleDescription(problem ?? explanation)
  }
}
