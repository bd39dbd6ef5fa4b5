import CGtk

/// A window.
///
/// GTK keeps each window until it is closed; handles merely keep it longer.
@MainActor
open class Window: Widget {
  override class var type: GType { gtk_window_get_type() }

  /// Its title.
  public var title: String {
    get { gtk_window_get_title(ptr()).map { String(cString: $0) } ?? "" }
    set { gtk_window_set_title(ptr(), newValue) }
  }

  /// How large it is when it is not maximized, in pixels; a number below 0 is as much as it takes.
  public var defaultSize: (width: Int, height: Int) {
    get {
      var (width, height): (Int32, Int32) = (0, 0)
      gtk_window_get_default_size(ptr(), &width, &height)
      return (Int(width), Int(height))
    }
    set {
      gtk_window_set_default_size(
        ptr(), Int32(clamping: newValue.width), Int32(clamping: newValue.height))
    }
  }

  /// Whether it fills the screen.
  public var isMaximized: Bool { gtk_window_is_maximized(ptr()) != 0 }

  /// Makes it fill the screen.
  public func maximize() { gtk_window_maximize(ptr()) }

  /// The widget in it that has the keyboard focus.
  public var focusedWidget: Widget? {
    get { gtk_window_get_focus(ptr()).map { Widget(borrowing: $0) } }
    set { gtk_window_set_focus(ptr(), newValue?.widget) }
  }

  /// Runs `handler` whenever the keyboard focus moves within it.
  public func onFocusChange(_ handler: @escaping @MainActor () -> Void) {
    connect("notify::focus-widget", handler)
  }

  /// Makes it a window of `application`, which runs as long as it has windows.
  public func join(_ application: Application) {
    gtk_window_set_application(ptr(), application.ptr())
  }

  /// Lets it be operated whatever other windows of the application are waiting for.
  ///
  /// Otherwise, one that has taken over keys and clicks takes them from all windows.
  public func standAlone() {
    let group = Object(owning: gtk_window_group_new())
    gtk_window_group_add_window(group.ptr(), ptr())
  }

  /// Makes this window a second one of `parent`: it stays above it and is closed with it, and has the keys
  /// and the name of the same application.
  public func belong(to parent: Window) {
    gtk_window_set_transient_for(ptr(), parent.ptr())
    gtk_window_group_add_window(gtk_window_get_group(parent.ptr()), ptr())
    gtk_window_set_application(ptr(), gtk_window_get_application(parent.ptr()))
    // GTK's own destroy-with-parent waits until nobody holds the parent any more.
    entrance_destroy_with(raw, parent.raw)
  }

  /// Hands keys and clicks of the window it belongs to over to this one.
  public func takeOver() { gtk_window_set_modal(ptr(), 1) }

  // MARK: Coming and going

  /// Brings it to the foreground.
  public func present() { gtk_window_present(ptr()) }

  /// Closes it, as its button does.
  public func close() { gtk_window_close(ptr()) }

  /// Takes it away without asking.
  public func destroy() { gtk_window_destroy(ptr()) }

  /// Runs `handler` when somebody wants to close it.
  ///
  /// - Parameter handler: says whether it stays open.
  public func onCloseRequest(_ handler: @escaping @MainActor () -> Bool) {
    connectReturningBool("close-request") { _ in handler() }
  }

  /// Runs `handler` when it was closed, or went with the one it belongs to.
  ///
  /// GTK's `destroy` would come only when nobody holds the window any more.
  public func whenGone(_ handler: @escaping @MainActor () -> Void) {
    connect("unrealize", handler)
  }

  /// Runs `handler` whenever it comes to the foreground.
  public func onForeground(_ handler: @escaping @MainActor () -> Void) {
    // The handler belongs to the window, so the pointer outlives it.
    let window = raw
    connect("notify::is-active") {
      if gtk_window_is_active(window.assumingMemoryBound(to: GtkWindow.self)) != 0 { handler() }
    }
  }

  /// Shows what is at an address, in the program for it.
  public func open(uri: String) { gtk_show_uri(ptr(), uri, 0) }
}
