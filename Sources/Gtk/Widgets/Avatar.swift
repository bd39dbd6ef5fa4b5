import CGtk

/// A picture with a user's initials.
@MainActor
public final class Avatar: Widget {
  override class var type: GType { adw_avatar_get_type() }

  /// Sets the name, from which color and initials are made; without one, the color is random.
  public func setName(_ name: String) { adw_avatar_set_text(opaque, name) }

  /// Shows the initials, or an icon instead.
  public func showInitials(_ shows: Bool) { adw_avatar_set_show_initials(opaque, shows ? 1 : 0) }
}
