import Gtk
import Localization

/// The name of the open connection in the header bar; a click on it opens the switcher, if there is
/// another place to go to.
///
/// It is for the pointer alone: the keyboard has a shortcut, and the switcher itself.
@MainActor
struct ConnectionButton {
  /// How many characters of the name are shown.
  private static let shownLength = 24

  private let button: Button
  private let label: Label
  /// Hides the button where there is no room for it, but not from screen readers.
  private let place: Squeezer

  /// Takes the widgets from the window's interface.
  init(_ builder: Builder) {
    button = builder.object("connection_button")
    label = builder.object("connection_label")
    place = builder.object("connection_place")
    place.onChange { [weak place, weak button] in
      button?.setAccessibleHidden(place?.visibleChild == nil)
    }
  }

  /// Calls `handler` on each click.
  func onClick(_ handler: @escaping @MainActor () -> Void) { button.onClick(handler) }

  /// Shows another name; empty for none.
  func show(_ name: String) {
    label.text = name
    // A name of which only the beginning would be in sight is not shown.
    label.keepRoom(for: min(name.count, Self.shownLength))
    button.setAccessibleLabel(name)
  }

  /// Shows it if the window has room for it, as a label if nothing can be switched to.
  func show(hasRoom: Bool, canSwitch: Bool) {
    button.isVisible = hasRoom && !label.text.isEmpty
    button.isSensitive = canSwitch
    label.tooltip = canSwitch ? "\(label.text)\n\(tr("Switch Account or App"))" : label.text
  }
}
