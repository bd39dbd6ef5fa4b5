import CGtk
import Dispatch
import Gio

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
