import CGtk

/// The About window.
@MainActor
public final class AboutWindow: Window {
  /// Creates an About window for a program under the MIT license.
  public convenience init(
    program: String, version: String, icon: String, developer: String, comments: String
  ) {
    self.init(borrowing: adw_about_window_new())
    adw_about_window_set_application_name(opaque, program)
    adw_about_window_set_application_icon(opaque, icon)
    adw_about_window_set_version(opaque, version)
    adw_about_window_set_developer_name(opaque, developer)
    adw_about_window_set_comments(opaque, comments)
    adw_about_window_set_license_type(opaque, GTK_LICENSE_MIT_X11)
  }
}
