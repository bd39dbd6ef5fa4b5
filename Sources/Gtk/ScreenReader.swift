import CGio

/// The desktop's screen reader.
public enum ScreenReader {
  /// How long the accessibility bus may take to answer, in milliseconds.
  private static let limit: gint = 500

  /// Whether it is on, as far as the desktop knows: the property `ScreenReaderEnabled` of
  /// `org.a11y.Status`, which follows the desktop's setting.
  public static func isOn() async -> Bool {
    do throws(GLibError) {
      let bus = try await awaitOperation { cancellable, ready, data in
        g_bus_get(G_BUS_TYPE_SESSION, cancellable, ready, data)
      } finish: { result, error in
        g_bus_get_finish(result, &error).map { Object(owning: $0) }
      }
      guard let bus else { return false }
      return try await awaitOperation { cancellable, ready, data in
        var names = [g_variant_new_string("org.a11y.Status"), g_variant_new_string("ScreenReaderEnabled")]
        g_dbus_connection_call(
          bus.opaque, "org.a11y.Bus", "/org/a11y/bus", "org.freedesktop.DBus.Properties", "Get",
          g_variant_new_tuple(&names, gsize(names.count)), nil, G_DBUS_CALL_FLAGS_NONE, limit,
          cancellable, ready, data)
      } finish: { result, error in
        guard let reply = g_dbus_connection_call_finish(bus.opaque, result, &error) else {
          return false
        }
        defer { g_variant_unref(reply) }
        return isTrue(reply)
      }
    } catch {
      return false
    }
  }

  /// Whether `reply` is a boxed `true`: `(<true>,)`.
  private static func isTrue(_ reply: OpaquePointer) -> Bool {
    guard String(cString: g_variant_get_type_string(reply)) == "(v)",
      let boxed = g_variant_get_child_value(reply, 0)
    else { return false }
    defer { g_variant_unref(boxed) }
    guard let value = g_variant_get_variant(boxed) else { return false }
    defer { g_variant_unref(value) }
    return Bool(checking: value) ?? false
  }
}
