import CGtk

/// A list row with a text entry.
@MainActor
public final class EntryRow: Widget {
  override class var type: GType { adw_entry_row_get_type() }

  /// A row for a text that `title` describes.
  public convenience init(title: String) {
    self.init(owning: UnsafeMutableRawPointer(adw_entry_row_new()))
    setTitle(title)
  }

  /// The typed text.
  public var text: String {
    get { gtk_editable_get_text(opaque).map { String(cString: $0) } ?? "" }
    set { gtk_editable_set_text(opaque, newValue) }
  }

  /// Sets what it is for.
  public func setTitle(_ title: String) { adw_preferences_row_set_title(ptr(), title) }

  /// Shows a button that applies a changed text.
  public func showApplyButton() { adw_entry_row_set_show_apply_button(ptr(), 1) }

  /// Lets its text be read and copied, but not changed.
  public func makeReadOnly() { gtk_editable_set_editable(opaque, 0) }

  /// Runs `handler` when a changed text is applied.
  public func onApply(_ handler: @escaping @MainActor () -> Void) { connect("apply", handler) }

  /// Runs `handler` when Enter is pressed in it.
  public func onEnter(_ handler: @escaping @MainActor () -> Void) {
    connect("entry-activated", handler)
  }

  /// Runs `handler` when something else is typed or set.
  public func onChange(_ handler: @escaping @MainActor () -> Void) {
    connect("changed", handler)
  }
}
