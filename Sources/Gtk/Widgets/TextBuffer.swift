import CGtk

/// The text of a text view.
@MainActor
public final class TextBuffer: Object {
  /// Whether there is no text.
  public var isEmpty: Bool { gtk_text_buffer_get_char_count(ptr()) == 0 }

  /// All of the text.
  public var text: String {
    var start = GtkTextIter()
    var end = GtkTextIter()
    gtk_text_buffer_get_bounds(ptr(), &start, &end)
    guard let text = gtk_text_buffer_get_text(ptr(), &start, &end, 0) else { return "" }
    defer { g_free(text) }
    return String(cString: text)
  }

  /// Removes all of the text.
  public func clear() { gtk_text_buffer_set_text(ptr(), "", 0) }

  /// Creates a tag for formatting text.
  public func addTag() -> TextTag {
    let tag = TextTag(owning: gtk_text_tag_new(nil))
    gtk_text_tag_table_add(gtk_text_buffer_get_tag_table(ptr()), tag.ptr())
    return tag
  }

  /// Appends text, up to its first NUL.
  public func append(_ text: String, tag: TextTag) {
    var start = GtkTextIter()
    var end = GtkTextIter()
    gtk_text_buffer_get_end_iter(ptr(), &end)
    let offset = gtk_text_iter_get_offset(&end)
    gtk_text_buffer_insert(ptr(), &end, text, -1)
    gtk_text_buffer_get_iter_at_offset(ptr(), &start, offset)
    gtk_text_buffer_apply_tag(ptr(), tag.ptr(), &start, &end)
  }
}
