import CGtk

// Properties by name, for those without a function of their own, or for several widgets of a kind.
extension Object {
  /// Sets a boolean property.
  public func set(_ property: String, to isOn: Bool) {
    var value = GValue()
    g_value_init(&value, ENTRANCE_TYPE_BOOLEAN)
    g_value_set_boolean(&value, isOn ? 1 : 0)
    g_object_set_property(ptr(), property, &value)
    g_value_unset(&value)
  }
}
