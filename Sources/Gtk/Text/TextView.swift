import CGtk
import Gio

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

extension TextView {
  /// Breaks the words of what people write without hyphens, which could be mistaken for a part of
  /// them.
  public func writeWithoutHyphens() {
    if gtk_text_view_get_editable(ptr()) != 0 { buffer.omitHyphens() }
  }

  /// Keeps the cursor in sight while people write and the size of the text, or of its visible part,
  /// changes.
  ///
  /// GTK scrolls to it once, when a text is pasted: before the text is laid out, and before something
  /// that is said of it takes room.
  public func keepCursorInSight() {
    guard gtk_text_view_get_editable(ptr()) != 0,
      let scroller = parent?.cast(to: ScrolledWindow.self)
    else { return }
    // Only this widget gives the adjustment a size, so the pointer outlives the handler.
    let raw = raw
    scroller.verticalAdjustment.onResize {
      let view = TextView(borrowing: raw)
      MainLoop.whenIdle {
        guard view.hasFocus else { return }
        let cursor = gtk_text_buffer_get_insert(gtk_text_view_get_buffer(view.ptr()))
        gtk_text_view_scroll_mark_onscreen(view.ptr(), cursor)
      }
    }
  }
}

extension TextView {
  /// Selects the next place of `text` after the selection, in any case, and shows it; after the last
  /// place comes the first one.
  ///
  /// - Parameters:
  ///   - isBackwards: selects the place before the selection instead.
  ///   - isTyped: selects the place where the selection begins, if there is one: the rest of a word is
  ///     still being typed.
  /// - Returns: whether there is one.
  public func select(_ text: String, isBackwards: Bool, isTyped: Bool) -> Bool {
    let buffer = gtk_text_view_get_buffer(ptr())
    var (first, last) = (GtkTextIter(), GtkTextIter())
    gtk_text_buffer_get_selection_bounds(buffer, &first, &last)
    var (start, end) = (GtkTextIter(), GtkTextIter())
    func search(from place: inout GtkTextIter) -> Bool {
      let find = isBackwards ? gtk_text_iter_backward_search : gtk_text_iter_forward_search
      return find(&place, text, GTK_TEXT_SEARCH_CASE_INSENSITIVE, &start, &end, nil) != 0
    }
    var edge = GtkTextIter()
    if isBackwards {
      gtk_text_buffer_get_end_iter(buffer, &edge)
    } else {
      gtk_text_buffer_get_start_iter(buffer, &edge)
    }
    let isFound = isBackwards || isTyped ? search(from: &first) : search(from: &last)
    guard isFound || search(from: &edge) else { return false }
    gtk_text_buffer_select_range(buffer, &start, &end)
    scrollToCursor()
    return true
  }

  /// The text up to the end of the selection, and the text after it, both with what is hidden.
  public var textsAroundSelection: (before: String, after: String) {
    let buffer = gtk_text_view_get_buffer(ptr())
    var (start, end) = (GtkTextIter(), GtkTextIter())
    gtk_text_buffer_get_bounds(buffer, &start, &end)
    var (first, last) = (GtkTextIter(), GtkTextIter())
    gtk_text_buffer_get_selection_bounds(buffer, &first, &last)
    return (
      String(owning: gtk_text_buffer_get_text(buffer, &start, &last, 1)) ?? "",
      String(owning: gtk_text_buffer_get_text(buffer, &last, &end, 1)) ?? ""
    )
  }

  /// Shows the beginning with the margins, wherever the cursor is.
  public func scrollToStart() {
    // Scrolling to the first character would leave the margins out.
    let scrollable = OpaquePointer(raw)
    for adjustment in [
      gtk_scrollable_get_hadjustment(scrollable), gtk_scrollable_get_vadjustment(scrollable),
    ] { gtk_adjustment_set_value(adjustment, 0) }
  }

  /// Shows the place of the cursor.
  public func scrollToCursor() {
    let cursor = gtk_text_buffer_get_insert(gtk_text_view_get_buffer(ptr()))
    gtk_text_view_scroll_to_mark(ptr(), cursor, 0.1, 0, 0, 0)
  }
}

extension TextView {
  /// Copies and cuts what is selected as its bytes from now on, whatever its size.
  func copyAsBytes() {
    // The handlers belong to the widget, so the pointer outlives them.
    let raw = raw
    connect("copy-clipboard") {
      _ = TextView(borrowing: raw).copySelection(at: "copy-clipboard")
    }
    connect("cut-clipboard") {
      let view = TextView(borrowing: raw)
      guard view.copySelection(at: "cut-clipboard") else { return }
      gtk_text_buffer_delete_selection(
        gtk_text_view_get_buffer(view.ptr()), 1, gtk_text_view_get_editable(view.ptr()))
    }
  }

  /// Copies what is selected, in place of what GTK does at `signal`.
  private func copySelection(at signal: String) -> Bool {
    guard let text = selectedText else { return false }
    copyToClipboard(text, isSecret: false)
    g_signal_stop_emission_by_name(raw, signal)
    return true
  }

  private var selectedText: String? {
    let buffer = gtk_text_view_get_buffer(ptr())
    var (start, end) = (GtkTextIter(), GtkTextIter())
    guard gtk_text_buffer_get_selection_bounds(buffer, &start, &end) != 0 else { return nil }
    return String(owning: gtk_text_iter_get_visible_text(&start, &end))
  }
}

extension TextView {
  /// The line that the cursor is in.
  public var lineAtCursor: String {
    let buffer = gtk_text_view_get_buffer(ptr())
    var (start, end) = (cursor, GtkTextIter())
    gtk_text_iter_set_line_offset(&start, 0)
    end = start
    if gtk_text_iter_ends_line(&end) == 0 { gtk_text_iter_forward_to_line_end(&end) }
    return String(owning: gtk_text_buffer_get_text(buffer, &start, &end, 0)) ?? ""
  }

  /// Calls `handler` when the cursor is somewhere else.
  public func onCursorMove(_ handler: @escaping @MainActor () -> Void) {
    buffer.connect("notify::cursor-position", handler)
  }
}

extension TextView {
  /// The text before the cursor.
  public var textBeforeCursor: String {
    var (start, cursor) = (GtkTextIter(), cursor)
    let buffer = gtk_text_view_get_buffer(ptr())
    gtk_text_buffer_get_start_iter(buffer, &start)
    return String(owning: gtk_text_buffer_get_text(buffer, &start, &cursor, 1)) ?? ""
  }

  /// Writes `text` in place of what is before the cursor; both are undone at once.
  ///
  /// - Parameters:
  ///   - size: how much is replaced, in Unicode scalars, like all places in a text.
  ///   - behind: how many Unicode scalars of `text` are to be behind the cursor.
  public func replace(beforeCursor size: Int, with text: String, behind: Int) {
    let buffer = gtk_text_view_get_buffer(ptr())
    var (start, end) = (cursor, cursor)
    gtk_text_iter_backward_chars(&start, Int32(clamping: size))
    gtk_text_buffer_begin_user_action(buffer)
    gtk_text_buffer_delete(buffer, &start, &end)
    gtk_text_buffer_insert(buffer, &start, text, -1)
    gtk_text_iter_backward_chars(&start, Int32(clamping: behind))
    gtk_text_buffer_place_cursor(buffer, &start)
    gtk_text_buffer_end_user_action(buffer)
  }

  /// Has a popover point to a place before the cursor.
  ///
  /// - Parameter size: how far before it, in Unicode scalars.
  public func point(_ popover: Popover, beforeCursor size: Int) {
    guard let parent = popover.parent else { return }
    var start = cursor
    gtk_text_iter_backward_chars(&start, Int32(clamping: size))
    var place = GdkRectangle()
    gtk_text_view_get_iter_location(ptr(), &start, &place)
    var (x, y): (Int32, Int32) = (0, 0)
    gtk_text_view_buffer_to_window_coords(
      ptr(), GTK_TEXT_WINDOW_WIDGET, place.x, place.y, &x, &y)
    var (left, top) = (0.0, 0.0)
    gtk_widget_translate_coordinates(
      widget, parent.widget, Double(x), Double(y), &left, &top)
    place.x = Int32(left)
    place.y = Int32(top)
    gtk_popover_set_pointing_to(popover.ptr(), &place)
  }

  private var cursor: GtkTextIter {
    var cursor = GtkTextIter()
    let buffer = gtk_text_view_get_buffer(ptr())
    gtk_text_buffer_get_iter_at_mark(buffer, &cursor, gtk_text_buffer_get_insert(buffer))
    return cursor
  }
}

/// The format of a part of a text.
@MainActor
public final class TextTag: Object {
  /// Breaks words without hyphens, which could be mistaken for a part of them.
  public func breakWithoutHyphens() { set("insert-hyphens", to: false) }

  /// Shows the text in italics.
  public func slant() {
    set("style", of: pango_style_get_type()) {
      g_value_set_enum(&$0, Int32(PANGO_STYLE_ITALIC.rawValue))
    }
  }

  /// Does not show the text.
  public func hide() { set("invisible", to: true) }

  /// Shows the text larger or smaller.
  public func setScale(_ scale: Double) {
    set("scale", of: ENTRANCE_TYPE_DOUBLE) { g_value_set_double(&$0, scale) }
  }
}
