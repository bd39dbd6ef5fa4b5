import Gtk
import Localization

/// The row with the page's host and the security of its connection.
@MainActor
struct SecurityRow {
  private let icon: Image
  private let hostLabel: Label
  private let securityLabel: Label

  /// Takes the widgets from the window's interface.
  init(_ builder: Builder) {
    icon = builder.object("security_icon")
    hostLabel = builder.object("host_label")
    securityLabel = builder.object("security_label")
    // Host names are written left to right in every language, but start where the row does.
    hostLabel.align(toRight: hostLabel.isRightToLeft)
    hostLabel.isRightToLeft = false
  }

  /// Shows the host while nothing else is known.
  func showConnecting(to origin: Origin) {
    show("content-loading-symbolic", origin, tr("Connecting…"))
  }

  /// Shows the page's `origin`; the sign-in began on `start`.
  func showPage(of origin: Origin, isSecure: Bool, start: Origin) {
    if !isSecure {
      showInsecure(origin)
    } else if origin == start {
      show("channel-secure-symbolic", origin, tr("Secure connection"))
    } else {
      show(
        "channel-secure-symbolic", origin,
        tr(
          "Secure connection, reached from {host}. This can be your organization’s sign-in page.",
          ["host": start.description]))
    }
  }

  /// Shows that there is no page.
  func showNotConnected(_ origin: Origin) {
    show("network-offline-symbolic", origin, tr("Not connected"))
  }

  /// Shows that there is no secure connection.
  func showInsecure(_ origin: Origin) {
    show("channel-insecure-symbolic", origin, tr("Not secure"))
  }

  private func show(_ iconName: String, _ origin: Origin, _ text: String) {
    icon.show(icon: iconName)
    hostLabel.text = origin.description
    securityLabel.text = text
  }
}
