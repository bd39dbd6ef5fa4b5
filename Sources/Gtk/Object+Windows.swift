import CGtk

// Windows that belong to another one.
extension Object {
  /// Makes this window a second one of `parent`: it stays above it and is closed with it, and has the keys
  /// and the name of the same application.
  public func belong(to parent: Object) {
    gtk_window_set_transient_for(ptr(), parent.ptr())
    gtk_window_set_application(ptr(), gtk_window_get_application(parent.ptr()))
    // GTK's own destroy-with-parent waits until nobody holds the parent any more.
    entrance_destroy_with(raw, parent.raw)
  }

  /// Runs `handler` when this window was closed, or went with the one it belongs to.
  ///
  /// GTK's `destroy` would come only when nobody holds the window any more.
  public func whenGone(_ handler: @escaping @MainActor () -> Void) {
    connect("unrealize", handler)
  }
}
