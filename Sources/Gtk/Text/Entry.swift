import CGtk

/// A widget in which a text of one line is typed.
@MainActor
public protocol TextEntry: Widget {}

extension TextEntry {
  /// The typed text.
  public var text: String {
    get { gtk_editable_get_text(opaque).map { String(cString: $0) } ?? "" }
    set { gtk_editable_set_text(opaque, newValue) }
  }
}

/// A text of one line that can be edited.
@MainActor
public final class Entry: Widget, TextEntry {
  override class var type: GType { gtk_entry_get_type() }

  /// Creates an empty entry.
  public convenience init() { self.init(owning: gtk_entry_new()) }

  /// Shows a text while it is empty.
  public func setPlaceholder(_ text: String) { gtk_entry_set_placeholder_text(ptr(), text) }

  /// Keeps room for so many characters.
  public func keepRoom(for count: Int) {
    gtk_editable_set_width_chars(opaque, Int32(clamping: count))
  }

  /// Where the cursor is, in characters.
  public var position: Int {
    get { Int(gtk_editable_get_position(opaque)) }
    set { gtk_editable_set_position(opaque, Int32(clamping: newValue)) }
  }

  /// Selects a part of the text, given in characters.
  public func select(_ range: Range<Int>) {
    gtk_editable_select_region(
      opaque, Int32(clamping: range.lowerBound), Int32(clamping: range.upperBound))
  }

  /// Selects the text, and shows its beginning.
  public func selectAll() { gtk_editable_select_region(opaque, -1, 0) }

  /// Forgets what was typed and set, so that nothing is undone.
  public func forgetEdits() {
    gtk_editable_set_enable_undo(opaque, 0)
    gtk_editable_set_enable_undo(opaque, 1)
  }

  /// Calls `handler` when something else is typed or set.
  public func onChange(_ handler: @escaping @MainActor () -> Void) { connect("changed", handler) }

  /// Calls `handler` when Enter is pressed in it.
  public func onEnter(_ handler: @escaping @MainActor () -> Void) { connect("activate", handler) }
}

extension Entry {
  /// The text before the cursor.
  public var textBeforeCursor: String {
    String(String.UnicodeScalarView(text.unicodeScalars.prefix(position)))
  }

  /// Writes `new` in place of what is before the cursor.
  ///
  /// - Parameters:
  ///   - size: how much is replaced, in Unicode scalars, like all places in an entry.
  ///   - behind: how many Unicode scalars of `new` are to be behind the cursor.
  public func replace(beforeCursor size: Int, with new: String, behind: Int) {
    let (all, position) = (text.unicodeScalars, position)
    let kept = all.prefix(max(position - size, 0))
    var scalars = String.UnicodeScalarView(kept)
    scalars += new.unicodeScalars
    scalars += all.dropFirst(position)
    text = String(scalars)
    self.position = kept.count + new.unicodeScalars.count - behind
  }
}
