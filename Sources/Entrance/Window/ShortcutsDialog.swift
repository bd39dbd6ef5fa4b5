import EntranceKit
import Gtk
import Localization

/// *Keyboard Shortcuts*: lists the table of shortcuts.
@MainActor
final class ShortcutsDialog: Presentable {
  let window: Window

  /// Makes the window; it is not shown yet.
  init() {
    let groups = Shortcut.Group.allCases.map { group in
      let rows = Shortcut.all.filter { $0.group == group }
      return (title: group.title, shortcuts: rows.map { (title: $0.title, keys: $0.keys) })
    }
    window = ShortcutsWindow.make(groups)
    window.title = tr("Keyboard Shortcuts")
    window.nameOwnParts(search: tr("Search"))
  }

  /// Else the number of the first page has the focus, and a screen reader does not say the title.
  func begin() { window.focusSearchButton() }
}
