import CGtk

/// A titled list of rows.
@MainActor
public final class PreferencesGroup: Widget {
  override class var type: GType { adw_preferences_group_get_type() }

  /// Sets the line below the title.
  public func setDescription(_ text: String) { adw_preferences_group_set_description(ptr(), text) }

  /// Adds a row at the end.
  public func add(_ row: Widget) { adw_preferences_group_add(ptr(), row.widget) }

  /// Removes a row.
  public func remove(_ row: Widget) { adw_preferences_group_remove(ptr(), row.widget) }
}
