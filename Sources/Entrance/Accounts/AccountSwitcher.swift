import EntranceKit
import Gtk
import Localization

/// The button beside the account's name, with the list of accounts.
@MainActor
final class AccountSwitcher {
  /// The button.
  let widget: MenuButton

  private let popover: Popover
  private let list: ListBox
  private let photos: PhotoDecoder
  private let select: @MainActor (AccountRow.ID) -> Void
  private var rows: [AccountRow] = []

  /// Creates the button.
  ///
  /// - Parameter select: handles the choice of an account.
  init(
    photos: PhotoDecoder, select: @escaping @MainActor (AccountRow.ID) -> Void
  ) {
    self.photos = photos
    self.select = select
    let builder = Builder(interface: "account-switcher")
    widget = builder.object("button")
    list = builder.object("list")
    popover = builder.object("popover")
    // The popover first gives the focus to its first widget.
    popover.onOpen { [weak self] in MainLoop.whenIdle { self?.focusSelected() } }
    for id in ["add_button", "manage_button"] {
      let button: Button = builder.object(id)
      button.onClick { [weak self] in self?.widget.close() }
    }
  }

  /// Shows `rows`; nothing while there are none.
  func show(_ rows: [AccountRow], isEnabled: Bool) {
    widget.isVisible = !rows.isEmpty
    widget.isSensitive = isEnabled
    guard rows != self.rows else { return }
    self.rows = rows
    list.show(rows.map(makeRow))
    focusSelected()
  }

  private func focusSelected() {
    guard popover.isMapped else { return }
    list.row(at: rows.firstIndex(where: \.isSelected) ?? 0)?.grabFocus()
  }

  private func makeRow(_ row: AccountRow) -> Widget {
    // A popover does not make room for a second line.
    let widget = ActionRow(row, photos: photos, avatarSize: 32, subtitleLines: 1)
    let id = row.id
    widget.onActivate { [weak self] in
      self?.widget.close()
      self?.select(id)
    }
    return widget
  }
}

extension ActionRow {
  /// A row with an account's photo, name and details, and whether it is selected.
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
      indent()
    } else {
      let avatar = Avatar(size: avatarSize)
      avatar.setName(row.displayName ?? row.username)
      avatar.showInitials(true)
      photos.show(row.picture, in: avatar)
      addFirst(avatar)
    }
    if row.needsSignIn { add(Image(icon: "dialog-warning-symbolic")) }
    if row.isSelected { add(Image(icon: "object-select-symbolic")) }
  }
}
