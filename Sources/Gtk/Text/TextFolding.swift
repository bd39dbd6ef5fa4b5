import CGtk

/// Hides the indented lines below a line of a text view, and shows them again.
///
/// What is folded is known to the buffer alone: hidden lines have one tag, and what stands for them, at
/// the end of the line before them, has another.
@MainActor
public final class TextFolding {
  private let view: TextView
  private let hidden: TextTag
  private let remark: TextTag

  /// How many lines are looked through, so that nothing is delayed.
  private static let mostLines = 50_000

  /// Folds lines of `view`, whose text must not be edited.
  public init(_ view: TextView) {
    self.view = view
    hidden = view.buffer.addTag()
    hidden.hide()
    remark = view.buffer.addTag()
    remark.slant()
  }

  /// What can be done with the line of the cursor.
  public enum State: Sendable, Equatable {
    /// No indented line follows.
    case none
    /// Indented lines follow.
    case unfolded
    /// They are hidden.
    case folded
  }

  /// What can be done with the line of the cursor.
  public var state: State {
    let start = lineOfCursor()
    guard var next = line(after: start), indentation(of: next) > indentation(of: start) else {
      return .none
    }
    return gtk_text_iter_has_tag(&next, hidden.ptr()) != 0 ? .folded : .unfolded
  }

  /// Hides the indented lines below the line of the cursor.
  ///
  /// - Parameter text: says how many lines are hidden.
  /// - Returns: how many lines are hidden; nil when there are none, or too many.
  public func fold(_ text: (Int) -> String) -> Int? {
    guard state == .unfolded, let lines = linesInside() else { return nil }
    var (start, end) = lines.range
    gtk_text_buffer_apply_tag(buffer, hidden.ptr(), &start, &end)
    var place = start
    gtk_text_iter_backward_char(&place)
    view.buffer.insert(" … " + text(lines.count), at: &place, tag: remark)
    return lines.count
  }

  /// Shows all hidden lines below the line of the cursor.
  public func unfold() {
    guard state == .folded, let lines = linesInside() else { return }
    var (start, end) = lines.range
    gtk_text_buffer_remove_tag(buffer, hidden.ptr(), &start, &end)
    // The line before them ends with what stood for them; so do lines inside that were folded.
    gtk_text_iter_backward_line(&start)
    removeRemarks(from: start, to: end)
  }

  /// Shows all hidden lines.
  public func unfoldAll() {
    var (start, end) = (GtkTextIter(), GtkTextIter())
    gtk_text_buffer_get_bounds(buffer, &start, &end)
    gtk_text_buffer_remove_tag(buffer, hidden.ptr(), &start, &end)
    removeRemarks(from: start, to: end)
  }

  /// Whether the cursor is in a hidden line.
  public var hidesCursor: Bool {
    var place = lineOfCursor()
    return gtk_text_iter_has_tag(&place, hidden.ptr()) != 0
  }

  // MARK: Lines

  private var buffer: UnsafeMutablePointer<GtkTextBuffer>? { view.buffer.ptr() }

  private func lineOfCursor() -> GtkTextIter {
    var place = GtkTextIter()
    gtk_text_buffer_get_iter_at_mark(buffer, &place, gtk_text_buffer_get_insert(buffer))
    gtk_text_iter_set_line_offset(&place, 0)
    return place
  }

  private func line(after place: GtkTextIter) -> GtkTextIter? {
    var next = place
    return gtk_text_iter_forward_line(&next) != 0 ? next : nil
  }

  private func indentation(of line: GtkTextIter) -> Int {
    var (place, count) = (line, 0)
    while gtk_text_iter_get_char(&place) == 0x20, gtk_text_iter_forward_char(&place) != 0 {
      count += 1
    }
    return count
  }

  /// The lines below that of the cursor that are indented more; nil when there are too many.
  private func linesInside() -> (range: (GtkTextIter, GtkTextIter), count: Int)? {
    let start = lineOfCursor()
    let limit = indentation(of: start)
    guard let first = line(after: start) else { return nil }
    var (end, count) = (first, 0)
    while indentation(of: end) > limit {
      count += 1
      guard count <= Self.mostLines, let next = line(after: end) else { return nil }
      end = next
    }
    return ((first, end), count)
  }

  private func removeRemarks(from start: GtkTextIter, to end: GtkTextIter) {
    var (place, end) = (start, end)
    // The end moves with the text.
    let mark = gtk_text_buffer_create_mark(buffer, nil, &end, 0)
    while gtk_text_iter_compare(&place, &end) < 0,
      gtk_text_iter_starts_tag(&place, remark.ptr()) != 0
        || gtk_text_iter_forward_to_tag_toggle(&place, remark.ptr()) != 0,
      gtk_text_iter_compare(&place, &end) < 0
    {
      var last = place
      gtk_text_iter_forward_to_tag_toggle(&last, remark.ptr())
      gtk_text_buffer_delete(buffer, &place, &last)
      gtk_text_buffer_get_iter_at_mark(buffer, &end, mark)
    }
    gtk_text_buffer_delete_mark(buffer, mark)
  }
}
