import CGtk
import Gio

/// What screen readers can do with this version of GTK.
@MainActor
public enum ScreenReader {
  /// Whether they can read the pages of a web view.
  public static var canReadWebPages: Bool { NewerGtk.hasAccessibleSockets }

  /// Whether they read the texts around a widget that gets the focus: not with GTK 4.8, in which
  /// boxes have no role.
  public static var readsGroups: Bool { gtk_check_version(4, 14, 0) == nil }

  /// Whether they say an alert that appears; they do not say the next text of one that is shown.
  public static var saysNewAlerts: Bool { gtk_check_version(4, 14, 0) == nil }

  /// Whether they do not notice that an entry row gets the focus.
  static var ignoresEntryRows: Bool { gtk_check_version(4, 14, 0) != nil }
}

extension ScreenReader {
  /// Whether Orca is running, which desktops other than GNOME have no setting for.
  ///
  /// It asks the buses, and activates nothing.
  public static func isRunning() async -> Bool {
    guard let address = DBusConnection.sessionAddress,
      let session = try? await DBusConnection.connect(to: address)
    else { return false }
    // Only later versions have a name.
    if (try? await session.hasOwner(of: "org.gnome.Orca.Service")) == true { return true }
    guard (try? await session.hasOwner(of: "org.a11y.Bus")) == true,
      let accessibility = try? await session.accessibilityAddress(limit: .seconds(2)),
      let bus = try? await DBusConnection.connect(to: accessibility),
      let names = try? await bus.names()
    else { return false }
    for name in names where name.hasPrefix(":") {
      if let process = try? await bus.process(of: name),
        DBusConnection.name(ofProcess: process) == "orca"
      {
        return true
      }
    }
    return false
  }
}
