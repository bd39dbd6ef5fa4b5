import CGtk

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
