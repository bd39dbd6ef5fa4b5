import CGtk

/// A list row with a text entry.
@MainActor
public final class EntryRow: Widget {
  override class var type: GType { adw_entry_row_get_type() }

  /// The typed text.
  public var text: String {
    get { gtk_editable_get_text(opaque).map { String(cString: $0) } ?? "" }
    set { gtk_editable_set_text(opaque, newValue) }
  }

  /// Calls `handler` when Enter is pressed in it.
  public func onEnter(_ handler: @escaping @MainActor () -> Void) {
    connect("entry-activated", handler)
  }
}
