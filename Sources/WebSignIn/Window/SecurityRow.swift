import AuthCore
import CWebKit
import Gio
import Gtk
import Localization

/// The row with the page's host and the security of its connection; a click shows the details.
@MainActor
struct SecurityRow {
  private let button: MenuButton
  private let icon: Image
  private let hostLabel: Label
  private let securityLabel: Label
  private let titleLabel: Label
  private let siteLabel: Label
  private let certificateLabel: Label

  /// Takes the widgets from the window's interface.
  init(_ builder: Builder) {
    button = builder.object("site_button")
    icon = builder.object("security_icon")
    hostLabel = builder.object("host_label")
    securityLabel = builder.object("security_label")
    titleLabel = builder.object("site_title_label")
    siteLabel = builder.object("site_label")
    certificateLabel = builder.object("certificate_label")
    button.fillWidth()
    // Host names are written left to right in every language, but start where the row does.
    hostLabel.align(toRight: hostLabel.isRightToLeft)
    hostLabel.isRightToLeft = false
  }

  /// Closes the details.
  func close() { button.close() }

  /// Shows the host while nothing else is known.
  func showConnecting(to origin: Origin) {
    show("content-loading-symbolic", origin, tr("Connecting…"))
  }

  /// Shows the page's `site`; the sign-in began on `trail.start`.
  func show(_ site: PageSite, trail: SiteTrail) {
    guard site.isSecure else { return showInsecure(site.origin) }
    let title = tr("Secure connection")
    let kind = trail.site(site.origin)
    let text =
      kind != .other
      ? title
      : SignInSite.isMicrosofts(trail.start.description)
        ? tr("Secure connection, not a Microsoft site")
        : tr("Secure connection, reached from {host}", ["host": trail.start.displayName])
    show("channel-secure-symbolic", site.origin, text)
    titleLabel.text = title
    siteLabel.text = trail.words(for: site.origin)
    certificateLabel.show(ifAny: site.certificate.map(Self.words))
  }

  /// Shows that there is no page.
  func showNotConnected(_ origin: Origin) {
    show("network-offline-symbolic", origin, tr("Not connected"))
  }

  /// Shows that there is no secure connection.
  func showInsecure(_ origin: Origin) {
    show("channel-insecure-symbolic", origin, tr("Not secure"))
  }

  /// Shows no details but the state; ``show(_:trail:)`` adds them.
  private func show(_ iconName: String, _ origin: Origin, _ text: String) {
    icon.show(icon: iconName)
    hostLabel.text = origin.displayName
    securityLabel.text = text
    button.setAccessibleLabel(tr("{host}: {state}", ["host": origin.displayName, "state": text]))
    titleLabel.text = text
    siteLabel.text = origin.displayName
    certificateLabel.isVisible = false
  }

  private static func words(for certificate: CertificateDetails) -> String {
    tr(
      "Certificate for {subject}, issued by {issuer}, valid from {first} until {last}",
      [
        "subject": certificate.subject, "issuer": certificate.issuer,
        "first": certificate.validFrom, "last": certificate.validUntil,
      ])
  }
}

extension SiteTrail {
  /// Whether `origin` is an expected sign-in site, in words.
  @MainActor
  func words(for origin: Origin) -> String {
    switch site(origin) {
    case .authority:
      SignInSite.isMicrosofts(start.description)
        ? tr(
          "“{host}” is the expected sign-in site. It belongs to Microsoft.",
          ["host": origin.displayName])
        : tr(
          "“{host}” is the expected sign-in site of this app.",
          ["host": origin.displayName])
    case .microsoft:
      tr("“{host}” is one of Microsoft’s sign-in sites.", ["host": origin.displayName])
    case .other:
      PageNotice.otherSite(origin, start: start).text(hasBrowser: false)
    }
  }
}

extension Origin {
  /// How the host is shown: in its own script, unless WebKit finds that it mixes scripts or uses
  /// letters that look like others.
  @MainActor
  var displayName: String {
    guard host.contains("xn--"), let text = String(owning: webkit.uri_for_display(url)) else {
      return description
    }
    return String(text.dropFirst(scheme.utf8.count + 3).prefix { $0 != "/" })
  }
}
