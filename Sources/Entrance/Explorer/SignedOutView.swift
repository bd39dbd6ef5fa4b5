import EntranceKit
import Gtk
import Localization

/// What is in the place of the Explorer while there is no account to send requests for.
@MainActor
final class SignedOutView {
  private let page: StatusPage
  private let button: Button

  /// Takes its widgets from the page's file.
  init(_ builder: Builder) {
    page = builder.object("signed_out_page")
    button = builder.object("sign_in_button")
  }

  /// Whether the button has the keyboard focus.
  var hasFocus: Bool { button.hasFocus }

  /// Gives the button the keyboard focus.
  ///
  /// - Returns: whether it has taken it.
  func focus() -> Bool { button.grabFocus() }

  /// Says why there is no account.
  func show(_ state: ExplorerState) {
    button.isVisible = state.loadState == .known
    switch state.loadState {
    case .loading:
      page.show(
        icon: "system-search-symbolic", title: tr("Explorer"), description: tr("Loading accounts…"))
    case .known:
      page.show(
        icon: "system-search-symbolic", title: tr("Explorer"),
        description: tr(
          "Sign in to send requests to {service} and see its responses.",
          ["service": state.service]))
    case .locked:
      page.show(
        icon: "dialog-warning-symbolic", title: tr("Account Not Available"),
        description: tr("The keyring is locked. Unlock it to see your accounts."))
    case .unavailable:
      page.show(
        icon: "dialog-warning-symbolic", title: tr("Account Not Available"),
        description: tr("Your accounts could not be read."))
    }
  }
}
