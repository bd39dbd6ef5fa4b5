import Gio
import Glibc

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
      let bus = try? await accessibilityBus(session), let names = try? await bus.names()
    else { return false }
    for name in names where name.hasPrefix(":") {
      if let process = try? await bus.process(of: name), isOrca(process) { return true }
    }
    return false
  }

  private static func accessibilityBus(
    _ session: DBusConnection
  ) async throws(GLibError) -> DBusConnection? {
    let getAddress = DBusConnection.Method(
      "GetAddress", of: "org.a11y.Bus", at: "/org/a11y/bus", "org.a11y.Bus")
    let reply = try await session.call(getAddress, [], reply: "(s)", limit: .seconds(2))
    guard let address = reply[0]?.text() else { return nil }
    return try await DBusConnection.connect(to: address)
  }

  private static func isOrca(_ process: UInt32) -> Bool {
    guard let file = fopen("/proc/\(process)/comm", "r") else { return false }
    defer { fclose(file) }
    var name = [CChar](repeating: 0, count: 16)
    guard fgets(&name, Int32(name.count), file) != nil else { return false }
    return name.prefix(5).elementsEqual("orca\n".utf8.map(CChar.init(bitPattern:)))
  }
}
