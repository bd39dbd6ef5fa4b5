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

/// The window that lists keyboard shortcuts.
@MainActor
public final class ShortcutsWindow: Window {
  override class var type: GType { gtk_shortcuts_window_get_type() }

  /// A heading with its shortcuts.
  public typealias Group = (title: String, shortcuts: [(title: String, keys: [String])])

  /// Makes the window; it is not shown yet.
  ///
  /// GTK 4.8 can fill it only from a description.
  public static func make(_ groups: [Group]) -> ShortcutsWindow {
    let content = groups.map { group in
      object(
        "GtkShortcutsGroup", ["title": group.title],
        group.shortcuts.map { shortcut in
          object(
            "GtkShortcutsShortcut",
            ["title": shortcut.title, "accelerator": shortcut.keys.joined(separator: " ")])
        })
    }
    let section = object("GtkShortcutsSection", ["section-name": "shortcuts"], content)
    // Its role in GTK 4.18 is that of a box, which has no name.
    let window = object(
      "GtkShortcutsWindow", ["modal": "True", "accessible-role": "window"], [section], id: "window")
    return Builder(description: "<interface>\(window)</interface>").object("window")
  }

  private static func object(
    _ name: String, _ properties: KeyValuePairs<String, String>, _ children: [String] = [],
    id: String = ""
  ) -> String {
    let properties = properties.map { "<property name=\"\($0)\">\(Markup.escaped($1))</property>" }
    let children = children.map { "<child>\($0)</child>" }
    let id = id.isEmpty ? "" : " id=\"\(id)\""
    return "<object class=\"\(name)\"\(id)>\((properties + children).joined())</object>"
  }
}
