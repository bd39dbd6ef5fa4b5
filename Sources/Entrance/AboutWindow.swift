import CGtk
import Gtk

/// The window that says what this program is.
enum AboutWindow {
  /// Shows it over `parent`.
  static func present(over parent: Object) {
    guard let about = adw_about_window_new() else { return }
    let object = Object(borrowing: UnsafeMutableRawPointer(about))
    let window = object.opaque
    adw_about_window_set_application_name(window, "Entrance")
    adw_about_window_set_application_icon(window, Application.id)
    adw_about_window_set_version(window, Application.version)
    adw_about_window_set_developer_name(window, tr("The Entrance contributors"))
    adw_about_window_set_comments(
      window, tr("Sign in with Microsoft on the Linux desktop and call Microsoft Graph."))
    adw_about_window_set_license_type(window, GTK_LICENSE_MIT_X11)
    object.belong(to: parent)
    gtk_window_set_modal(object.ptr(), 1)
    gtk_window_present(object.ptr())
  }
}
