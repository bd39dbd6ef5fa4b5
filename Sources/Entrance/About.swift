import Gtk
import Localization

/// The About window.
enum About {
  /// Shows it over `parent`.
  static func present(over parent: Window) {
    let window = AboutWindow(
      program: "Entrance", version: Program.version, icon: Program.id,
      developer: tr("The Entrance contributors"),
      comments: tr("Sign in with Microsoft on the Linux desktop and call Microsoft Graph."))
    window.belong(to: parent)
    window.takeOver()
    window.present()
  }
}
