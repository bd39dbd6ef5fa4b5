import CGtk

/// The format of a part of a text.
@MainActor
public final class TextTag: Object {
  /// Breaks words without hyphens, which could be mistaken for a part of them.
  public func breakWithoutHyphens() { set("insert-hyphens", to: false) }

  /// Shows the text in italics.
  public func slant() {
    var value = GValue()
    g_value_init(&value, pango_style_get_type())
    g_value_set_enum(&value, Int32(PANGO_STYLE_ITALIC.rawValue))
    g_object_set_property(ptr(), "style", &value)
    g_value_unset(&value)
  }

  /// Shows the text larger or smaller.
  public func setScale(_ scale: Double) {
    var value = GValue()
    g_value_init(&value, ENTRANCE_TYPE_DOUBLE)
    g_value_set_double(&value, scale)
    g_object_set_property(ptr(), "scale", &value)
    g_value_unset(&value)
  }
}
