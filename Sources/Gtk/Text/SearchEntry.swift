import CGtk

/// An entry for a text to look for.
@MainActor
public final class SearchEntry: Widget, TextEntry {
  override class var type: GType { gtk_search_entry_get_type() }

  /// Takes what is typed anywhere in `widget`; nil for only what is typed in the entry.
  public func captureKeys(of widget: Widget?) {
    gtk_search_entry_set_key_capture_widget(opaque, widget?.widget)
  }

  /// Calls `handler` when Escape is pressed.
  public func onStop(_ handler: @escaping @MainActor () -> Void) {
    connect("stop-search", handler)
  }

  /// Calls `handler` when Enter is pressed.
  public func onEnter(_ handler: @escaping @MainActor () -> Void) { connect("activate", handler) }

  /// Calls `handler` a moment after the text was changed.
  public func onChange(_ handler: @escaping @MainActor () -> Void) {
    connect("search-changed", handler)
  }
}
