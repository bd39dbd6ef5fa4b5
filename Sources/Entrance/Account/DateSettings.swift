import Gio
import FoundationEssentials
import Gtk
import Sentences

/// The desktop's date and time settings.
enum DateSettings {
  /// The program that shows them, by the desktop's name in `XDG_CURRENT_DESKTOP`.
  private static let programs = [
    "GNOME": "gnome-datetime-panel.desktop", "KDE": "kcm_clock.desktop",
    "MATE": "mate-time-admin.desktop", "X-Cinnamon": "cinnamon-settings-calendar.desktop",
  ]

  /// The program that shows them; nil on a desktop that has none.
  @MainActor static var program: InstalledProgram? {
    let desktops = ProcessInfo.processInfo.environment["XDG_CURRENT_DESKTOP"] ?? ""
    return desktops.split(separator: ":").lazy.compactMap { programs[String($0)] }
      .compactMap { InstalledProgram.find(id: $0) }.first
  }

  /// Shows them.
  @MainActor static func open(from widget: Widget) {
    do throws(GLibError) {
      try program?.start(from: widget)
    } catch {
      printError(Sentence(verbatim: error.message))
    }
  }
}
