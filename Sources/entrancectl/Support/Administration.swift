import CGio
import Connections
import Glibc

/// What the administrator of this computer has set, for the app and the command line alike.
enum Administration {
  /// Whether several people use this device: the key `shared-device` of the app's settings.
  ///
  /// GLib ends the program for a schema or a key that is not installed, so both are looked up first.
  static var isSharedDevice: Bool {
    let key = "shared-device"
    let own = g_settings_schema_source_new_from_directory(
      DataDirectories().schemas,
      g_settings_schema_source_get_default(), 0, nil)
    defer { if let own { g_settings_schema_source_unref(own) } }
    guard let source = own ?? g_settings_schema_source_get_default(),
      let schema = g_settings_schema_source_lookup(source, EntranceIdentity.applicationID, 1)
    else { return false }
    defer { g_settings_schema_unref(schema) }
    guard g_settings_schema_has_key(schema, key) != 0,
      let settings = g_settings_new_full(schema, nil, nil)
    else { return false }
    defer { g_object_unref(settings) }
    return g_settings_get_boolean(settings, key) != 0
  }

  /// Where it cannot keep a file, dconf says that it will not work properly; it does, for who only reads.
  ///
  /// GLib takes this once.
  static func hushDconf() {
    g_log_set_writer_func(
      { level, fields, count, _ in
        for field in UnsafeBufferPointer(start: fields, count: Int(count))
        where strcmp(field.key, "GLIB_DOMAIN") == 0 {
          guard let domain = field.value?.assumingMemoryBound(to: CChar.self),
            strcmp(domain, "dconf") != 0
          else {
            return G_LOG_WRITER_HANDLED
          }
        }
        return g_log_writer_default(level, fields, count, nil)
      }, nil, nil)
  }
}
