import Connections
import Gtk
import Localization

// The reasons why there is no account page.
extension ConnectionPage {
  /// There is no `connections.json`.
  static func noConnection(
    path: String, tryDemo: @escaping @MainActor () -> Void,
    openInstructions: @escaping @MainActor () -> Void
  ) throws(GLibError) -> ConnectionPage {
    try ConnectionPage(
      icon: "network-server-symbolic",
      title: tr("No Connection Yet"),
      description: tr(
        "Register a public client in the Microsoft Entra admin center, and write its client ID into connections.json. Or try the demo, which needs no account."
      ),
      details: [
        tr("Redirect URI: {uri}", ["uri": EntranceIdentity.redirectURI]),
        tr("File: {path}", ["path": path]),
      ].joined(separator: "\n\n"),
      first: Choice(label: tr("Try the _Demo"), action: tryDemo),
      second: Choice(label: tr("Open _Instructions"), action: openInstructions))
  }

  /// `connections.json` is invalid, or has no such connection.
  static func badConnection(
    _ reason: String, path: String, tryAgain: @escaping @MainActor () -> Void,
    tryDemo: @escaping @MainActor () -> Void
  ) throws(GLibError) -> ConnectionPage {
    try ConnectionPage(
      icon: "dialog-warning-symbolic",
      title: tr("The Connection Cannot Be Used"),
      description: tr("Correct it, then try again."),
      details: "\(path)\n\n\(reason)",
      first: Choice(label: tr("Try _Again"), action: tryAgain),
      second: Choice(label: tr("Try the _Demo"), action: tryDemo))
  }

  /// The identity service did not start.
  static func demoFailed(
    _ reason: String, tryAgain: @escaping @MainActor () -> Void
  ) throws(GLibError) -> ConnectionPage {
    try ConnectionPage(
      icon: "dialog-warning-symbolic",
      title: tr("The Demo Could Not Start"),
      description: tr("It runs on this computer and needs no network."),
      details: reason,
      first: Choice(label: tr("Try _Again"), action: tryAgain),
      second: nil)
  }
}
