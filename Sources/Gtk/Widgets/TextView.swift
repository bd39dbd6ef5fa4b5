import CGtk

/// A text of many lines.
@MainActor
public final class TextView: Widget {
  override class var type: GType { gtk_text_view_get_type() }

  /// Where its text is.
  public var buffer: TextBuffer { TextBuffer(borrowing: gtk_text_view_get_buffer(ptr())) }
}
