import CGtk
import EntranceKit
import FoundationEssentials
import Gtk

/// The log on its card: appends, follows its end unless the person scrolled up, can be copied.
@MainActor
final class LogView {
  private let view: Object
  private let buffer: Object
  private let plain: Object
  private let adjustment: Object
  private let emptyLabel: Object
  private let jumpButton: Object
  private let timeZone = g_time_zone_new_local()
  private var followsEnd = true
  private var lastValue = 0.0
  private var lastWidth: Int32 = 0
  private var hasGrown = false
  private var isSettling = false

  /// Takes its widgets from `builder`.
  init(builder: Builder) {
    view = builder.object("log_view")
    buffer = Object(borrowing: UnsafeMutableRawPointer(gtk_text_view_get_buffer(view.ptr())))
    plain = Object(owning: UnsafeMutableRawPointer(gtk_text_tag_new(nil)))
    // A token that goes over several lines must not look as if it had hyphens in it.
    plain.set("insert-hyphens", to: false)
    gtk_text_tag_table_add(gtk_text_buffer_get_tag_table(buffer.ptr()), plain.ptr())
    let scroller = builder.object("log_scroller")
    adjustment = Object(
      borrowing: UnsafeMutableRawPointer(
        gtk_scrolled_window_get_vadjustment(scroller.opaque)))
    emptyLabel = builder.object("empty_label")
    jumpButton = builder.object("jump_button")

    // JSON, addresses and tokens read from left to right in every language.
    gtk_widget_set_direction(view.widget, GTK_TEXT_DIR_LTR)
    adjustment.connect("value-changed") { [weak self] in self?.hasMoved() }
    adjustment.connect("changed") { [weak self] in
      self?.hasGrown = true
      self?.settleSoon()
    }
    jumpButton.connect("clicked") { [weak self] in self?.jumpToLatest() }
  }

  isolated deinit {
    g_time_zone_unref(timeZone)
  }

  /// Whether there is nothing in it.
  var isEmpty: Bool { gtk_text_buffer_get_char_count(buffer.ptr()) == 0 }

  /// Whether it has the keyboard focus, or will have it when the window comes to the foreground.
  var hasFocus: Bool { gtk_widget_is_focus(view.widget) != 0 }

  /// Takes the keyboard focus.
  func focus() {
    gtk_widget_grab_focus(view.widget)
  }

  /// All of its text.
  var text: String {
    var start = GtkTextIter()
    var end = GtkTextIter()
    gtk_text_buffer_get_bounds(buffer.ptr(), &start, &end)
    guard let text = gtk_text_buffer_get_text(buffer.ptr(), &start, &end, 0) else { return "" }
    defer { g_free(text) }
    return String(cString: text)
  }

  /// Adds an entry at the end.
  func append(_ entry: LogEntry) {
    insert((isEmpty ? "" : "\n") + line(entry))
  }

  /// Shows `entries` in place of what it shows.
  func show(_ entries: [LogEntry]) {
    gtk_text_buffer_set_text(buffer.ptr(), "", 0)
    followsEnd = true
    insert(entries.map(line).joined(separator: "\n"))
  }

  private func insert(_ text: String) {
    var end = GtkTextIter()
    gtk_text_buffer_get_end_iter(buffer.ptr(), &end)
    let offset = gtk_text_iter_get_offset(&end)
    gtk_text_buffer_insert(buffer.ptr(), &end, text, Int32(text.utf8.count))
    var start = GtkTextIter()
    gtk_text_buffer_get_iter_at_offset(buffer.ptr(), &start, offset)
    gtk_text_buffer_apply_tag(buffer.ptr(), plain.ptr(), &start, &end)
    gtk_widget_set_visible(emptyLabel.widget, isEmpty ? 1 : 0)
  }

  private func line(_ entry: LogEntry) -> String {
    "\(time(entry.date))  \(entry.text)"
  }

  private func time(_ date: Date) -> String {
    let seconds = gint64(date.timeIntervalSince1970)
    guard let utc = g_date_time_new_from_unix_utc(seconds) else { return "" }
    defer { g_date_time_unref(utc) }
    guard let local = g_date_time_to_timezone(utc, timeZone) else { return "" }
    defer { g_date_time_unref(local) }
    guard let text = g_date_time_format(local, "%H:%M:%S") else { return "" }
    defer { g_free(text) }
    return String(cString: text)
  }

  // MARK: Following the end

  // GTK measures lines in several steps, and moves the view about while it does. What the person did
  // can be told only when it is done.

  /// Takes in a move up, which may come together with new lines.
  ///
  /// Lines that arrive never move the view up; a new width can. So it was the person.
  private func hasMoved() {
    let value = gtk_adjustment_get_value(adjustment.ptr())
    let width = gtk_widget_get_width(view.widget)
    if value < lastValue, value < end - 1, width == lastWidth { followsEnd = false }
    (lastValue, lastWidth) = (value, width)
    settleSoon()
  }

  /// The value at which the last line is in sight.
  private var end: Double {
    gtk_adjustment_get_upper(adjustment.ptr()) - gtk_adjustment_get_page_size(adjustment.ptr())
  }

  private func settleSoon() {
    guard !isSettling else { return }
    isSettling = true
    MainLoop.whenIdle { [weak self] in
      self?.isSettling = false
      self?.settle()
    }
  }

  private func settle() {
    if hasGrown, followsEnd {
      gtk_adjustment_set_value(adjustment.ptr(), end)
    } else {
      followsEnd = gtk_adjustment_get_value(adjustment.ptr()) >= end - 1
    }
    hasGrown = false
    gtk_widget_set_visible(jumpButton.widget, followsEnd ? 0 : 1)
  }

  private func jumpToLatest() {
    followsEnd = true
    hasGrown = true
    settleSoon()
    // The button goes; the keyboard must not be left without a place.
    focus()
  }
}
