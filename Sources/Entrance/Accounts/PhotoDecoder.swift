import Gtk
import MicrosoftGraph

/// Decodes profile photos on another thread, each once.
@MainActor
final class PhotoDecoder {
  private var decoded: [(picture: ProfilePhoto, texture: Texture)] = []
  /// The number of photos to keep decoded.
  private static let capacity = 20

  /// Shows `picture` in `avatar`, as soon as it is decoded; nil for initials.
  func show(_ picture: ProfilePhoto?, in avatar: Avatar) {
    guard let picture else { return avatar.show(nil) }
    if let known = decoded.first(where: { $0.picture == picture }) {
      return avatar.show(known.texture)
    }
    Task { [weak self] in
      guard let texture = await Texture.decode([UInt8](picture.data)) else { return }
      self?.decoded.append((picture, texture))
      if let self, decoded.count > Self.capacity { decoded.removeFirst() }
      avatar.show(texture)
    }
  }
}
