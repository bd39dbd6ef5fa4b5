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
}
