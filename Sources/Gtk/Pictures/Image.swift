import CGtk
import Dispatch
import Gio

/// An icon.
@MainActor
public final class Image: Widget {
  override class var type: GType { gtk_image_get_type() }

  /// Creates an icon.
  public convenience init(icon name: String) {
    self.init(owning: gtk_image_new_from_icon_name(name))
  }

  /// Creates an icon of this size in pixels from a `GIcon`.
  convenience init(gIcon: UnsafeMutableRawPointer, size: Int) {
    self.init(owning: gtk_image_new_from_gicon(OpaquePointer(gIcon)))
    pixelSize = size
  }

  /// Its width and height in pixels; -1 for the usual ones.
  public var pixelSize: Int {
    get { Int(gtk_image_get_pixel_size(opaque)) }
    set { gtk_image_set_pixel_size(opaque, Int32(clamping: newValue)) }
  }

  /// Shows the icon of this name.
  public func show(icon name: String) { gtk_image_set_from_icon_name(opaque, name) }
}

/// A picture that is as large as there is room for it.
@MainActor
public final class Picture: Widget {
  override class var type: GType { gtk_picture_get_type() }

  /// Shows a picture; nil for none.
  public func show(_ picture: Texture?) { gtk_picture_set_paintable(opaque, picture?.paintable) }
}

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

/// A decoded image.
///
/// It can be used on any thread: a `GdkTexture` never changes, and counts its references atomically.
public nonisolated final class Texture: @unchecked Sendable {
  private let raw: UnsafeMutableRawPointer

  private init(owning raw: UnsafeMutableRawPointer) { self.raw = raw }

  deinit { g_object_unref(raw) }

  /// The texture as what widgets draw.
  var paintable: OpaquePointer { OpaquePointer(raw) }

  /// Decodes an image on another thread; nil when it is damaged.
  @MainActor
  public static func decode(_ image: [UInt8]) async -> Texture? {
    await Cancellable.run(on: .global(qos: .utility)) { _ in
      let bytes = g_bytes_new(image, gsize(image.count))
      defer { g_bytes_unref(bytes) }
      let texture = gdk_texture_new_from_bytes(bytes, nil)
      return texture.map { Texture(owning: UnsafeMutableRawPointer($0)) }
    }
  }
}

/// A progress bar.
@MainActor
public final class ProgressBar: Widget {
  override class var type: GType { gtk_progress_bar_get_type() }

  /// The progress, from 0 to 1.
  public var fraction: Double {
    get { gtk_progress_bar_get_fraction(opaque) }
    set { gtk_progress_bar_set_fraction(opaque, newValue) }
  }
}
