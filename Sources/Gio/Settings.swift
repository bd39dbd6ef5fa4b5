public import CGio

/// The user's preferences in GSettings.
///
/// GLib aborts when a schema or a key is missing, as in a build tree or during an upgrade. So both
/// are looked up first: if they are missing, reads return the default, and writes are ignored.
public final class Settings {
  private let settings: UnsafeMutablePointer<GSettings>?
  private let schema: OpaquePointer?

  /// Opens the settings of `schemaID`; the schema is in `directory` or in one of the system's
  /// directories.
  public init(schemaID: String, directory: String) {
    let system = g_settings_schema_source_get_default()
    let own = g_settings_schema_source_new_from_directory(directory, system, 0, nil)
    schema = (own ?? system).flatMap { g_settings_schema_source_lookup($0, schemaID, 1) }
    if let own { g_settings_schema_source_unref(own) }
    settings = schema.flatMap { schema in
      g_settings_new_full(schema, nil, nil)
    }
  }

  deinit {
    if let settings { g_object_unref(settings) }
    if let schema { g_settings_schema_unref(schema) }
  }

  /// The value of `key`; `value` when the key does not exist or has another type.
  public func value<Value: VariantValue>(of key: String, default value: Value) -> Value {
    guard let settings = settings(for: key), let found = g_settings_get_value(settings, key)
    else { return value }
    defer { g_variant_unref(found) }
    return Value(checking: found) ?? value
  }

  /// Stores a value that the schema allows, unless an administrator has locked the key.
  public func set(_ key: String, to value: some VariantValue) {
    let value = g_variant_ref_sink(value.makeVariant())
    defer { g_variant_unref(value) }
    guard let settings = settings(for: key), !isLocked(key), let schema,
      let description = g_settings_schema_get_key(schema, key)
    else { return }
    defer { g_settings_schema_key_unref(description) }
    guard
      g_variant_is_of_type(value, g_settings_schema_key_get_value_type(description)) != 0,
      g_settings_schema_key_range_check(description, value) != 0
    else { return }
    g_settings_set_value(settings, key, value)
  }

  /// Whether `key` cannot be set, because an administrator has locked it or there is none.
  public func isLocked(_ key: String) -> Bool {
    settings(for: key).map { g_settings_is_writable($0, key) == 0 } ?? true
  }

  /// The object for a C function that takes `key`; nil when there is no such key.
  public func settings(for key: String) -> UnsafeMutablePointer<GSettings>? {
    guard let schema, g_settings_schema_has_key(schema, key) != 0 else { return nil }
    return settings
  }
}
