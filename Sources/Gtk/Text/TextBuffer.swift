import CGtk
import Gio

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
    return String(owning: gtk_text_buffer_get_text(ptr(), &start, &end, 0)) ?? ""
  }

  /// Calls `handler` after each change of the text.
  public func onChange(_ handler: @escaping @MainActor () -> Void) { connect("changed", handler) }

  /// Removes all of the text.
  public func clear() { gtk_text_buffer_set_text(ptr(), "", 0) }

  /// Replaces all of the text, up to its first NUL.
  public func set(_ text: String) { gtk_text_buffer_set_text(ptr(), text, -1) }

  /// Creates a tag for formatting text.
  public func addTag() -> TextTag {
    let tag = TextTag(owning: gtk_text_tag_new(nil))
    gtk_text_tag_table_add(gtk_text_buffer_get_tag_table(ptr()), tag.ptr())
    return tag
  }

  /// Appends text, up to its first NUL.
  public func append(_ text: String, tag: TextTag) {
    var end = GtkTextIter()
    gtk_text_buffer_get_end_iter(ptr(), &end)
    insert(text, at: &end, tag: tag)
  }

  /// Appends text like ``append(_:tag:)``.
  ///
  /// - Returns: where it is from now on.
  public func appendSpan(_ text: String, tag: TextTag) -> TextSpan {
    var start = GtkTextIter()
    var end = GtkTextIter()
    gtk_text_buffer_get_end_iter(ptr(), &end)
    let offset = gtk_text_iter_get_offset(&end)
    insert(text, at: &end, tag: tag)
    gtk_text_buffer_get_iter_at_offset(ptr(), &start, offset)
    return TextSpan(
      start: Object(borrowing: gtk_text_buffer_create_mark(ptr(), nil, &start, 0)),
      end: Object(borrowing: gtk_text_buffer_create_mark(ptr(), nil, &end, 1)))
  }

  /// Inserts text before a span, after what was inserted there before.
  public func insert(_ text: String, before span: TextSpan, tag: TextTag) {
    var place = GtkTextIter()
    gtk_text_buffer_get_iter_at_mark(ptr(), &place, span.start.ptr())
    insert(text, at: &place, tag: tag)
  }

  /// Removes the text of a span, which must not be used any more.
  public func remove(_ span: TextSpan) {
    var start = GtkTextIter()
    var end = GtkTextIter()
    gtk_text_buffer_get_iter_at_mark(ptr(), &start, span.start.ptr())
    gtk_text_buffer_get_iter_at_mark(ptr(), &end, span.end.ptr())
    gtk_text_buffer_delete(ptr(), &start, &end)
    gtk_text_buffer_delete_mark(ptr(), span.start.ptr())
    gtk_text_buffer_delete_mark(ptr(), span.end.ptr())
  }

  /// Whether a span begins before the selection.
  public func isBeforeSelection(_ span: TextSpan) -> Bool {
    var (place, first, last) = (GtkTextIter(), GtkTextIter(), GtkTextIter())
    gtk_text_buffer_get_iter_at_mark(ptr(), &place, span.start.ptr())
    gtk_text_buffer_get_selection_bounds(ptr(), &first, &last)
    return gtk_text_iter_compare(&place, &first) < 0
  }

  func insert(_ text: String, at place: inout GtkTextIter, tag: TextTag) {
    var start = GtkTextIter()
    let offset = gtk_text_iter_get_offset(&place)
    gtk_text_buffer_insert(ptr(), &place, text, -1)
    gtk_text_buffer_get_iter_at_offset(ptr(), &start, offset)
    gtk_text_buffer_apply_tag(ptr(), tag.ptr(), &start, &place)
  }
}

extension TextBuffer {
  /// Breaks words without hyphens from now on.
  func omitHyphens() {
    let tag = addTag()
    tag.breakWithoutHyphens()
    // A handle would keep the buffer, which has the handler.
    let pointer = raw
    onChange { TextBuffer(borrowing: pointer).extend(tag) }
    extend(tag)
  }

  /// Gives the tag to what does not have it: what was written at the start or the end.
  private func extend(_ tag: TextTag) {
    var start = GtkTextIter()
    gtk_text_buffer_get_start_iter(ptr(), &start)
    while gtk_text_iter_is_end(&start) == 0 {
      var end = start
      gtk_text_iter_forward_to_tag_toggle(&end, tag.ptr())
      if gtk_text_iter_has_tag(&start, tag.ptr()) == 0 {
        gtk_text_buffer_apply_tag(ptr(), tag.ptr(), &start, &end)
      }
      start = end
    }
  }
}

/// A part of the text of a ``TextBuffer``, wherever it moves.
@MainActor
public struct TextSpan {
  fileprivate let start: Object
  fileprivate let end: Object
}
