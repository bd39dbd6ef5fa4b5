import CGtk

/// A picture with a user's initials.
@MainActor
public final class Avatar: Widget {
  override class var type: GType { adw_avatar_get_type() }

  /// Creates an avatar of this size in pixels.
  public convenience init(size: Int) {
    self.init(
      owning: UnsafeMutableRawPointer(adw_avatar_new(Int32(clamping: size), nil, 0)))
  }

  /// Shows a picture instead of initials; nil to show initials.
  public func show(_ picture: Texture?) {
    adw_avatar_set_custom_image(opaque, picture?.paintable)
  }

  /// Sets the name, from which color and initials are made; without one, the color is random.
  public func setName(_ name: String) { adw_avatar_set_text(opaque, name) }

  /// Shows the initials, or an icon instead.
  public func showInitials(_ shows: Bool) { adw_avatar_set_show_initials(opaque, shows ? 1 : 0) }
}
