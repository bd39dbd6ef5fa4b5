import CGtk
import Gtk

/// The row that says whose page this is and whether the connection is secure.
@MainActor
struct SecurityRow {
  private let icon: Object
  private let hostLabel: Object
  private let securityLabel: Object

  /// Takes the widgets from the window's interface.
  init(_ builder: Builder) {
    icon = builder.object("security_icon")
    hostLabel = builder.object("host_label")
    securityLabel = builder.object("security_label")
    // Host names run from left to right in every language, but begin where the row does.
    let isRightToLeft = gtk_widget_get_direction(hostLabel.widget) == GTK_TEXT_DIR_RTL
    gtk_widget_set_direction(hostLabel.widget, GTK_TEXT_DIR_LTR)
    gtk_label_set_xalign(hostLabel.opaque, isRightToLeft ? 1 : 0)
  }

  /// Before anything is known of the site.
  func showConnecting(to origin: Origin) {
    show("content-loading-symbolic", origin, tr("Connecting…"))
  }

  /// The page of `origin` is there; the sign-in began on `start`.
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

  /// There is no page.
  func showNotConnected(_ origin: Origin) {
    show("network-offline-symbolic", origin, tr("Not connected"))
  }

  /// There is no secure connection.
  func showInsecure(_ origin: Origin) {
    show("channel-insecure-symbolic", origin, tr("Not secure"))
  }

  private func show(_ iconName: String, _ origin: Origin, _ text: String) {
    gtk_image_set_from_icon_name(icon.opaque, iconName)
    gtk_label_set_text(hostLabel.opaque, origin.description)
    gtk_label_set_text(securityLabel.opaque, text)
  }
}
