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

  /// Shows the copyright above the license.
  public func setCopyright(_ text: String) { adw_about_window_set_copyright(opaque, text) }

  /// Links the program's website, and the page for reports.
  public func setLinks(website: String, issues: String) {
    adw_about_window_set_website(opaque, website)
    adw_about_window_set_issue_url(opaque, issues)
  }

  /// Shows what is new, as `<p>` and `<ul>` elements.
  public func setReleaseNotes(_ notes: String, of version: String) {
    adw_about_window_set_release_notes_version(opaque, version)
    adw_about_window_set_release_notes(opaque, notes)
  }

  /// Shows what helps with a report, to be copied or saved in a file called `file`.
  public func setDebugInformation(_ text: String, file: String) {
    adw_about_window_set_debug_info(opaque, text)
    adw_about_window_set_debug_info_filename(opaque, file)
  }

  /// The versions of the libraries that this run uses, such as `GTK 4.8.3`.
  public static var libraries: [String] {
    [
      "GTK \(gtk_get_major_version()).\(gtk_get_minor_version()).\(gtk_get_micro_version())",
      "libadwaita \(adw_get_major_version()).\(adw_get_minor_version()).\(adw_get_micro_version())",
    ]
  }
}
