import CGtk

// Properties by name, for those that have no function of their own and for several kinds at once.
extension Object {
  /// Sets a boolean property.
  public func set(_ property: String, to value: Bool) {
    setProperty(property, type: ENTRANCE_TYPE_BOOLEAN) { g_value_set_boolean($0, value ? 1 : 0) }
  }

  /// Sets a property that holds a whole number or an enumeration.
  public func set(_ property: String, to value: Int) {
    setProperty(property, type: ENTRANCE_TYPE_LONG) { g_value_set_long($0, value) }
  }

  /// Sets a text property; nil sets the null string.
  public func set(_ property: String, to value: String?) {
    setProperty(property, type: ENTRANCE_TYPE_STRING) { g_value_set_string($0, value) }
  }

  /// Sets a property that holds an object; nil sets none.
  public func set(_ property: String, to value: Object?) {
    setProperty(property, type: ENTRANCE_TYPE_OBJECT) { g_value_set_object($0, value?.raw) }
  }

  /// The value of a boolean property.
  public func bool(_ property: String) -> Bool {
    getProperty(property, type: ENTRANCE_TYPE_BOOLEAN) { g_value_get_boolean($0) != 0 }
  }

  /// The value of a property that holds a whole number or an enumeration.
  public func int(_ property: String) -> Int {
    getProperty(property, type: ENTRANCE_TYPE_LONG) { g_value_get_long($0) }
  }

  /// The value of a text property.
  public func string(_ property: String) -> String? {
    getProperty(property, type: ENTRANCE_TYPE_STRING) {
      g_value_get_string($0).map { String(cString: $0) }
    }
  }

  private func setProperty(
    _ property: String, type: GType, fill: (UnsafeMutablePointer<GValue>) -> Void
  ) {
    var value = GValue()
    g_value_init(&value, type)
    fill(&value)
    g_object_set_property(ptr(), property, &value)
    g_value_unset(&value)
  }

  /// Reads a property; GLib converts it to `type`.
  private func getProperty<Result>(
    _ property: String, type: GType, read: (UnsafeMutablePointer<GValue>) -> Result
  ) -> Result {
    var value = GValue()
    g_value_init(&value, type)
    g_object_get_property(ptr(), property, &value)
    defer { g_value_unset(&value) }
    return read(&value)
  }
}
