import CGtk
import Dispatch

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
    await withCheckedContinuation { continuation in
      DispatchQueue.global(qos: .utility).async {
        let bytes = g_bytes_new(image, gsize(image.count))
        defer { g_bytes_unref(bytes) }
        let texture = gdk_texture_new_from_bytes(bytes, nil)
        continuation.resume(
          returning: texture.map { Texture(owning: UnsafeMutableRawPointer($0)) })
      }
    }
  }
}
