import Gtk
import MicrosoftGraph

/// Decodes profile photos on another thread, each once.
@MainActor
final class PhotoDecoder {
  private var decoded: [(picture: ProfilePhoto, texture: Texture)] = []
  /// The last photo that an avatar was asked to show, while it is being decoded.
  private var awaited: [UnsafeMutableRawPointer: ProfilePhoto] = [:]
  /// The number of photos to keep decoded.
  private static let capacity = 20

  /// Shows `picture` in `avatar`, with initials until it is decoded; nil for initials.
  func show(_ picture: ProfilePhoto?, in avatar: Avatar) {
    if let picture, awaited[avatar.raw] == picture { return }
    let known = decoded.first { $0.picture == picture }
    avatar.show(known?.texture)
    awaited[avatar.raw] = known == nil ? picture : nil
    guard let picture, known == nil else { return }
    Task { [weak self] in
      let texture = await Texture.decode([UInt8](picture.data))
      self?.finish(picture, texture, in: avatar)
    }
  }

  private func finish(_ picture: ProfilePhoto, _ texture: Texture?, in avatar: Avatar) {
    if let texture, !decoded.contains(where: { $0.picture == picture }) {
      decoded.append((picture, texture))
      if decoded.count > Self.capacity { decoded.removeFirst() }
    }
    // Meanwhile, it may have been asked to show another account.
    guard awaited[avatar.raw] == picture else { return }
    awaited[avatar.raw] = nil
    avatar.show(texture)
  }
}
