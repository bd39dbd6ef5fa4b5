import CGtk

/// Keys that activate actions in the whole window while a widget of it is shown.
///
/// What has the focus, such as an entry or an open menu, gets them first, unless the keys are those
/// of a controller before it.
@MainActor
public final class ShortcutController: Object {
  /// Adds it to `widget`.
  ///
  /// - Parameter actions: the names of the actions, such as `explorer.find`, by their keys.
  public convenience init(on widget: Widget, _ actions: [String: String]) {
    self.init(actions)
    // A window gets its keys anyway, before GTK's own for such windows.
    if !(widget is Window) { gtk_shortcut_controller_set_scope(opaque, GTK_SHORTCUT_SCOPE_GLOBAL) }
    widget.add(controller: self)
  }

  /// Adds it to `widget`, which gets only the keys whose actions are not enabled.
  ///
  /// - Parameter actions: the names of the actions, such as `explorer.find`, by their keys.
  public convenience init(before widget: Widget, _ actions: [String: String]) {
    self.init(actions)
    gtk_event_controller_set_propagation_phase(opaque, GTK_PHASE_CAPTURE)
    widget.add(controller: self)
  }

  private convenience init(_ actions: [String: String]) {
    self.init(owning: gtk_shortcut_controller_new())
    for (keys, action) in actions {
      // Each takes ownership of what it gets.
      let shortcut = gtk_shortcut_new(
        gtk_shortcut_trigger_parse_string(keys), gtk_named_action_new(action))
      gtk_shortcut_controller_add_shortcut(opaque, shortcut)
    }
  }
}
