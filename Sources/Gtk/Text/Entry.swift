import CGtk

/// A text of one line that can be edited.
@MainActor
public final class Entry: Widget {
  override class var type: GType { gtk_entry_get_type() }

  /// Creates an empty entry.
  public convenience init() { self.init(owning: gtk_entry_new()) }

  /// Shows a text while it is empty.
  public func setPlaceholder(_ text: String) { gtk_entry_set_placeholder_text(ptr(), text) }

  /// Keeps room for so many characters.
  public func keepRoom(for count: Int) {
    gtk_editable_set_width_chars(opaque, Int32(clamping: count))
  }

  /// The typed text.
  public var text: String {
    get { gtk_editable_get_text(opaque).map { String(cString: $0) } ?? "" }
    set { gtk_editable_set_text(opaque, newValue) }
  }

  /// Where the cursor is, in characters.
  public var position: Int {
    get { Int(gtk_editable_get_position(opaque)) }
    set { gtk_editable_set_position(opaque, Int32(clamping: newValue)) }
  }

  /// Calls `handler` when something else is typed or set.
  public func onChange(_ handler: @escaping @MainActor () -> Void) { connect("changed", handler) }

  /// Calls `handler` when Enter is pressed in it.
  public func onEnter(_ handler: @escaping @MainActor () -> Void) { connect("activate", handler) }
}
