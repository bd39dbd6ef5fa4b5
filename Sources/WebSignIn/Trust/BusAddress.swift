import CGio
import Gio

/// D-Bus addresses in a form that WebKit can read.
///
/// WebKit extracts the path of a socket from an address without decoding the escapes that D-Bus
/// requires for spaces and non-ASCII letters. It aborts the whole program when the path does not
/// exist. GDBus, which everything here uses, also reads most paths without escapes.
@MainActor
enum BusAddress {
  /// Makes the addresses that WebKit will use readable; it takes both from the environment.
  ///
  /// The environment is changed only where an address has escapes.
  ///
  /// - Returns: an address that cannot be made readable; nil when there is none.
  static func makeReadable() async -> String? {
    let buses = [
      ("DBUS_SESSION_BUS_ADDRESS", variable("DBUS_SESSION_BUS_ADDRESS")),
      ("AT_SPI_BUS_ADDRESS", await accessibilityBus()),
    ]
    for case (let name, let address?) in buses {
      guard let readable = readable(address) else { return address }
      if readable != address { g_setenv(name, readable, 1) }
    }
    return nil
  }

  /// `address` in the form that WebKit can read; nil if there is none.
  static nonisolated func readable(_ address: String) -> String? {
    guard address.hasPrefix("unix:path=") else { return address }
    let path = address.dropFirst("unix:path=".count).prefix { $0 != "," && $0 != ";" }
    guard let unescaped = unescape(path) else { return nil }
    // WebKit makes the socket's directory visible to its helper, which must not be the root
    // directory.
    guard let slash = unescaped.lastIndex(of: "/"), slash > unescaped.startIndex else { return nil }
    // Characters that would have another meaning without their escapes.
    if unescaped != path, unescaped.contains(where: { "%,;".contains($0) }) { return nil }
    return "unix:path=" + unescaped + address.dropFirst("unix:path=".count + path.count)
  }

  private static nonisolated func unescape(_ text: Substring) -> String? {
    String(owning: g_uri_unescape_string(String(text), nil))
  }

  private static func variable(_ name: String) -> String? {
    g_getenv(name).map { String(cString: $0) }
  }

  /// The address of the accessibility bus; WebKit makes the same call, and blocks until it returns.
  private static func accessibilityBus() async -> String? {
    if let address = variable("AT_SPI_BUS_ADDRESS") { return address }
    guard let session = DBusConnection.sessionAddress,
      let bus = try? await DBusConnection.connect(to: session)
    else { return nil }
    return try? await bus.accessibilityAddress(limit: .seconds(5))
  }
}
