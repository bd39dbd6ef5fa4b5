import CGtk

/// A text with several lines.
@MainActor
public final class TextView: Widget {
  override class var type: GType { gtk_text_view_get_type() }

  /// The text.
  public var buffer: TextBuffer { TextBuffer(borrowing: gtk_text_view_get_buffer(ptr())) }
}
