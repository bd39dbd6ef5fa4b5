import CGtk

/// An icon.
@MainActor
public final class Image: Widget {
  override class var type: GType { gtk_image_get_type() }

  /// Creates an icon.
  public convenience init(icon name: String) {
    self.init(owning: gtk_image_new_from_icon_name(name))
  }

  /// Shows the icon of this name.
  public func show(icon name: String) { gtk_image_set_from_icon_name(opaque, name) }
}
