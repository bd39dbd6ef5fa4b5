import EntranceKit
import Gtk

extension ActionRow {
  /// A row with an account's photo, name and details, and a mark if it is selected.
  ///
  /// - Parameter lastUse: when it was last used, in words.
  convenience init(
    _ row: AccountRow, photos: PhotoDecoder, avatarSize: Int, subtitleLines: Int,
    lastUse: String? = nil
  ) {
    let subtitle = [row.details, lastUse].compactMap(\.self).joined(separator: "\n")
    self.init(title: row.title, subtitle: subtitle, subtitleLines: subtitleLines)
    tooltip = "\(row.title)\n\(subtitle)"
    // Its title is its accessible name.
    setAccessibleDescription(
      [row.spokenDetails, lastUse].compactMap(\.self).joined(separator: ", "))
    if row.isTenant {
      indent(by: avatarSize)
    } else {
      let avatar = Avatar(size: avatarSize)
      avatar.setName(row.displayName ?? row.username)
      avatar.showInitials(true)
      photos.show(row.picture, in: avatar)
      add(prefix: avatar)
    }
    if row.needsSignIn { add(Image(icon: "dialog-warning-symbolic")) }
    if row.isSelected { add(Image(icon: "object-select-symbolic")) }
  }
}
