import CGtk

/// Preferences, kept by GSettings.
///
/// GLib ends the program when a schema or a key is missing, as in a build tree or in a half-done
/// upgrade. So both are looked up first: without them each read gives the default handed in, and
/// writes are dropped.
@MainActor
public final class Settings {
  private let settings: Object?
  private let schema: OpaquePointer?

  /// Opens the settings of `schemaID`, whose schema is in `directory` or in one of the system's.
  public init(schemaID: String, directory: String) {
    let system = g_settings_schema_source_get_default()
    let own = g_settings_schema_source_new_from_directory(directory, system, 0, nil)
    schema = (own ?? system).flatMap { g_settings_schema_source_lookup($0, schemaID, 1) }
    if let own { g_settings_schema_source_unref(own) }
    settings = schema.flatMap { schema in
      g_settings_new_full(schema, nil, nil).map { Object(owning: UnsafeMutableRawPointer($0)) }
    }
  }

  isolated deinit {
    if let schema { g_settings_schema_unref(schema) }
  }

  /// A yes or no.
  public func bool(_ key: String, default value: Bool) -> Bool {
    settings(for: key).map { g_settings_get_boolean($0.ptr(), key) != 0 } ?? value
  }

  /// A whole number.
  public func int(_ key: String, default value: Int) -> Int {
    settings(for: key).map { Int(g_settings_get_int($0.ptr(), key)) } ?? value
  }

  /// Stores a yes or no.
  public func set(_ key: String, to value: Bool) {
    set(key, to: g_variant_new_boolean(value ? 1 : 0))
  }

  /// Stores a whole number, when it is in the range that the schema allows.
  public func set(_ key: String, to value: Int) {
    set(key, to: g_variant_new_int32(gint32(clamping: value)))
  }

  private func set(_ key: String, to value: OpaquePointer) {
    let value = g_variant_ref_sink(value)
    defer { g_variant_unref(value) }
    guard let settings = settings(for: key), let schema,
      let description = g_settings_schema_get_key(schema, key)
    else { return }
    defer { g_settings_schema_key_unref(description) }
    guard g_settings_schema_key_range_check(description, value) != 0 else { return }
    g_settings_set_value(settings.ptr(), key, value)
  }

  private func settings(for key: String) -> Object? {
    guard let schema, g_settings_schema_has_key(schema, key) != 0 else { return nil }
    return settings
  }
}
