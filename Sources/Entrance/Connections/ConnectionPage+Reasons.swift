import Gtk
import Localization

// The reasons why there is no account page.
extension ConnectionPage {
  /// There is no connection in `connections.json`, or no such file.
  static func noConnection(
    setUp: @escaping @MainActor () -> Void, tryDemo: @escaping @MainActor () -> Void
  ) -> ConnectionPage {
    ConnectionPage(
      icon: "network-server-symbolic",
      title: tr("No Connection Yet"),
      description: tr(
        "Set up the app that you sign in with, or try the demo, which needs no account."),
      details: "",
      first: Choice(label: tr("Set _Up…"), action: setUp),
      second: Choice(label: tr("Try the _Demo"), action: tryDemo))
  }

  /// `connections.json` is invalid, or has no such connection.
  static func badConnection(
    _ reason: String, path: String, tryAgain: @escaping @MainActor () -> Void,
    openFile: @escaping @MainActor () -> Void, tryDemo: @escaping @MainActor () -> Void
  ) -> ConnectionPage {
    ConnectionPage(
      icon: "dialog-warning-symbolic",
      title: tr("The Connection Cannot Be Used"),
      description: tr("Correct it, then try again."),
      details: "\(path)\n\n\(reason)",
      first: Choice(label: tr("Try _Again"), action: tryAgain),
      second: Choice(label: tr("_Open File"), action: openFile),
      third: Choice(label: tr("Try the _Demo"), action: tryDemo))
  }

  /// The identity service did not start.
  static func demoFailed(
    _ reason: String, tryAgain: @escaping @MainActor () -> Void
  ) -> ConnectionPage {
    ConnectionPage(
      icon: "dialog-warning-symbolic",
      title: tr("The Demo Could Not Start"),
      description: tr("It runs on this computer and needs no network."),
      details: reason,
      first: Choice(label: tr("Try _Again"), action: tryAgain))
  }
}
