import CGtk

/// Keys that activate actions while the focus is in a widget.
@MainActor
public final class ShortcutController: Object {
  /// Adds it to `widget`.
  ///
  /// - Parameter actions: the names of the actions, such as `explorer.find`, by their keys.
  public convenience init(on widget: Widget, _ actions: [String: String]) {
    self.init(owning: gtk_shortcut_controller_new())
    for (keys, action) in actions {
      // Each takes ownership of what it gets.
      let shortcut = gtk_shortcut_new(
        gtk_shortcut_trigger_parse_string(keys), gtk_named_action_new(action))
      gtk_shortcut_controller_add_shortcut(opaque, shortcut)
    }
    widget.add(controller: self)
  }
}
