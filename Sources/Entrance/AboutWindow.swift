import CGtk
import Gtk

/// The window that says what this program is.
enum AboutWindow {
  /// Shows it over `parent`.
  static func present(over parent: Object) {
    let about = adw_about_window_new()
    let window = about.map { OpaquePointer($0) }
    adw_about_window_set_application_name(window, "Entrance")
    adw_about_window_set_application_icon(window, Application.id)
    adw_about_window_set_version(window, Application.version)
    adw_about_window_set_developer_name(window, tr("The Entrance contributors"))
    adw_about_window_set_comments(
      window, tr("Sign in with Microsoft on the Linux desktop and call Microsoft Graph."))
    adw_about_window_set_license_type(window, GTK_LICENSE_MIT_X11)
    gtk_window_set_transient_for(
      about.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: GtkWindow.self) },
      parent.ptr())
    gtk_window_set_modal(
      about.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: GtkWindow.self) }, 1)
    gtk_widget_show(about)
  }
}
