import CGtk

/// A text with several lines.
@MainActor
public final class TextView: Widget {
  override class var type: GType { gtk_text_view_get_type() }

  /// The text.
  public var buffer: TextBuffer { TextBuffer(borrowing: gtk_text_view_get_buffer(ptr())) }

  /// The space below the last line, in pixels.
  public var bottomMargin: Int {
    get { Int(gtk_text_view_get_bottom_margin(ptr())) }
    set { gtk_text_view_set_bottom_margin(ptr(), Int32(clamping: newValue)) }
  }

  /// Whether long lines are broken, within a word if necessary.
  public var wraps: Bool {
    get { gtk_text_view_get_wrap_mode(ptr()) != GTK_WRAP_NONE }
    set { gtk_text_view_set_wrap_mode(ptr(), newValue ? GTK_WRAP_WORD_CHAR : GTK_WRAP_NONE) }
  }
}

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
