import CGio
import Gtk

/// Addresses of message buses as WebKit can read them.
///
/// WebKit looks into an address for the path of a socket, and takes it as it stands: without undoing the
/// escapes that D-Bus prescribes for blanks and letters beyond ASCII. It ends the whole program when there
/// is no such path. But GDBus, which everything here uses, reads most paths without escapes, too.
@MainActor
enum BusAddress {
  /// Makes the addresses readable that WebKit will use; it takes both from the environment.
  ///
  /// The environment is changed where an address has escapes, and nowhere else.
  ///
  /// - Returns: an address that cannot be made readable; nil when all is well.
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
    // WebKit shows the socket's folder to its helper, which then would see nothing but that.
    guard let slash = unescaped.lastIndex(of: "/"), slash > unescaped.startIndex else { return nil }
    // What would mean something else without its escape.
    if unescaped != path, unescaped.contains(where: { "%,;".contains($0) }) { return nil }
    return "unix:path=" + unescaped + address.dropFirst("unix:path=".count + path.count)
  }

  private static nonisolated func unescape(_ text: Substring) -> String? {
    guard let plain = g_uri_unescape_string(String(text), nil) else { return nil }
    defer { g_free(plain) }
    return String(cString: plain)
  }

  private static func variable(_ name: String) -> String? {
    g_getenv(name).map { String(cString: $0) }
  }

  /// Where the bus of assistive technology is; WebKit asks the same, and waits for it.
  private static func accessibilityBus() async -> String? {
    if let address = variable("AT_SPI_BUS_ADDRESS") { return address }
    let answer = try? await awaitOperation { cancellable, ready, data in
      g_bus_get(G_BUS_TYPE_SESSION, cancellable, ready, data)
    } finish: { result, error in
      g_bus_get_finish(result, &error).map { Object(owning: $0) }
    }
    guard let bus = answer ?? nil else { return nil }
    let reply = try? await awaitOperation { cancellable, ready, data in
      g_dbus_connection_call(
        bus.opaque, "org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress", nil, nil,
        G_DBUS_CALL_FLAGS_NONE, 5000, cancellable, ready, data)
    } finish: { result, error -> String? in
      guard let reply = g_dbus_connection_call_finish(bus.opaque, result, &error) else {
        return nil
      }
      defer { g_variant_unref(reply) }
      guard let address = g_variant_get_child_value(reply, 0) else { return nil }
      defer { g_variant_unref(address) }
      return g_variant_get_string(address, nil).map { String(cString: $0) }
    }
    return reply ?? nil
  }
}
