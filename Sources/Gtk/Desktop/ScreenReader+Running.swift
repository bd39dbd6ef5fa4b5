import Gio

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
