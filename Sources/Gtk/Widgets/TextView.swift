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
