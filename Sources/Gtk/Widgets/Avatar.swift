import CGtk

/// The picture of a person, made of their initials.
@MainActor
public final class Avatar: Widget {
  override class var type: GType { adw_avatar_get_type() }

  /// The name from which color and initials are made; without one, the color is another each time.
  public func setName(_ name: String) { adw_avatar_set_text(opaque, name) }

  /// Shows the initials, or an icon in their place.
  public func showInitials(_ shows: Bool) { adw_avatar_set_show_initials(opaque, shows ? 1 : 0) }
}
