import CGtk
public import Gio

/// A window.
///
/// GTK retains each window until it is closed; handles can only retain it longer.
@MainActor
open class Window: Widget {
  override class var type: GType { gtk_window_get_type() }

  /// Its title.
  public var title: String {
    get { gtk_window_get_title(ptr()).map { String(cString: $0) } ?? "" }
    set { gtk_window_set_title(ptr(), newValue) }
  }

  /// Its size when it is not maximized, in pixels; a negative number means the natural size.
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

  /// Grows to the height of its content, if that is higher, up to the height of the screen.
  public func growToContent() {
    let size = defaultSize
    var (narrowest, natural): (Int32, Int32) = (0, 0)
    // With large text, it can be wider than its default; newer GTK warns of a measure for less.
    gtk_widget_measure(widget, GTK_ORIENTATION_HORIZONTAL, -1, &narrowest, nil, nil, nil)
    let width = max(Int32(clamping: size.width), narrowest)
    gtk_widget_measure(widget, GTK_ORIENTATION_VERTICAL, width, nil, &natural, nil, nil)
    // The natural height, which GTK limits to that of the screen.
    if natural > size.height { defaultSize.height = -1 }
  }

  /// Whether it is maximized.
  public var isMaximized: Bool { gtk_window_is_maximized(ptr()) != 0 }

  /// Maximizes it.
  public func maximize() { gtk_window_maximize(ptr()) }

  /// Its widget that has the keyboard focus.
  public var focusedWidget: Widget? {
    get { gtk_window_get_focus(ptr()).map { Widget(borrowing: $0) } }
    set { gtk_window_set_focus(ptr(), newValue?.widget) }
  }

  /// Moves the keyboard focus away and back, so that a screen reader says where it is.
  ///
  /// Not in a popover, which would close: its widgets got the focus after those of the window.
  public func focusAgain() {
    guard let focused = gtk_window_get_focus(ptr()),
      gtk_widget_get_ancestor(focused, gtk_popover_get_type()) == nil
    else { return }
    Widget(borrowing: focused).keepSelection {
      gtk_window_set_focus(ptr(), nil)
      gtk_window_set_focus(ptr(), focused)
    }
  }

  /// Moves the keyboard focus to a widget on the screen that takes it.
  public func focusFirst() {
    gtk_window_set_focus(ptr(), nil)
    gtk_widget_child_focus(widget, GTK_DIR_TAB_FORWARD)
  }

  /// Calls `handler` whenever the keyboard focus moves within it.
  public func onFocusChange(_ handler: @escaping @MainActor () -> Void) {
    connect("notify::focus-widget", handler)
  }

  /// Adds it to `application`, which runs as long as it has windows.
  public func setApplication(_ application: Application) {
    gtk_window_set_application(ptr(), application.ptr())
  }

  /// Lets it be used while other windows of the application show a modal window.
  ///
  /// Otherwise, a modal window blocks all windows.
  public func makeWindowGroup() {
    let group = Object(owning: gtk_window_group_new())
    gtk_window_group_add_window(group.ptr(), ptr())
  }

  /// Makes this window transient for `parent`: it stays above it, is closed with it, and has the
  /// shortcuts and the name of the same application.
  public func setTransient(for parent: Window) {
    gtk_window_set_transient_for(ptr(), parent.ptr())
    gtk_window_group_add_window(gtk_window_get_group(parent.ptr()), ptr())
    gtk_window_set_application(ptr(), gtk_window_get_application(parent.ptr()))
    // GTK's destroy-with-parent waits until the parent is no longer retained.
    entrance_destroy_with(raw, parent.raw)
  }

  /// Makes it modal for its parent.
  public func takeOver() { gtk_window_set_modal(ptr(), 1) }

  // MARK: Presenting and closing

  /// Brings it to the foreground.
  ///
  /// - Parameter time: the time of the user's action, if another program passed it on; otherwise 0.
  public func present(at time: UInt32 = 0) { gtk_window_present_with_time(ptr(), time) }

  /// Closes it, as its close button does.
  public func close() { gtk_window_close(ptr()) }

  /// Destroys it without asking.
  public func destroy() { gtk_window_destroy(ptr()) }

  /// Calls `handler` when it is asked to close.
  ///
  /// - Parameter handler: returns whether it stays open.
  public func onCloseRequest(_ handler: @escaping @MainActor () -> Bool) {
    connectReturningBool("close-request") { _ in handler() }
  }

  /// Calls `handler` when it was closed, or destroyed with its parent.
  ///
  /// GTK emits `destroy` only when the window is no longer retained.
  public func onClosed(_ handler: @escaping @MainActor () -> Void) {
    connect("unrealize", handler)
  }

  /// Calls `handler` whenever it comes to the foreground.
  public func onForeground(_ handler: @escaping @MainActor () -> Void) {
    onChange(toForeground: true, handler)
  }

  /// Calls `handler` whenever another window comes to the foreground.
  public func onBackground(_ handler: @escaping @MainActor () -> Void) {
    onChange(toForeground: false, handler)
  }

  private func onChange(toForeground: Bool, _ handler: @escaping @MainActor () -> Void) {
    // The handler belongs to the window, so the pointer outlives it.
    let window = raw
    connect("notify::is-active") {
      let isActive = gtk_window_is_active(window.assumingMemoryBound(to: GtkWindow.self)) != 0
      if isActive == toForeground { handler() }
    }
  }

  /// Calls `handler` when its size changes.
  public func onResize(_ handler: @escaping @MainActor () -> Void) {
    for property in ["default-width", "maximized"] { connect("notify::\(property)", handler) }
  }

  /// Whether it is in the foreground.
  public var isActive: Bool { gtk_window_is_active(ptr()) != 0 }

  /// Whether it is in the foreground, or a window that is shown over it.
  public var isGroupInForeground: Bool {
    let windows = gtk_window_group_list_windows(gtk_window_get_group(ptr()))
    defer { g_list_free(windows) }
    return pointers(in: windows).contains { Window(borrowing: $0).isActive }
  }

  /// The URI of the file at `path`.
  public static func uri(ofFile path: String) -> String {
    let file = Object(owning: g_file_new_for_path(path))
    return String(owning: g_file_get_uri(file.opaque)) ?? ""
  }

  /// Opens a URI with the default program for it, and waits until that is started.
  ///
  /// `gtk_show_uri` would show a message of its own, without a title, when that fails.
  ///
  /// - Throws: when there is no such program, or it cannot be started.
  public func show(uri: String) async throws(GLibError) {
    let window: UnsafeMutablePointer<GtkWindow> = ptr()
    _ = try await awaitOperation { cancellable, ready, data in
      gtk_show_uri_full(window, uri, 0, cancellable, ready, data)
    } finish: { result, error in
      gtk_show_uri_full_finish(window, result, &error)
    }
  }
}

/// A main window.
///
/// It has no actions of its own, with the prefix `win`: GTK would offer them to all programs on the
/// session bus, unlike those of an inserted group.
@MainActor
public final class ApplicationWindow: Window {
  override class var type: GType { gtk_application_window_get_type() }

  /// From now on, the desktop can close such windows while a window that is shown over them is
  /// modal; that is closed with them.
  ///
  /// GTK ignores the desktop then, and says so to nobody.
  public static func closeWithModalWindows() { entrance_heed_close_of_blocked_windows() }
}

/// The title of a window in its header bar.
@MainActor
public final class WindowTitle: Widget {
  override class var type: GType { adw_window_title_get_type() }

  /// What stands below the title, such as what is open; empty for nothing.
  public func setSubtitle(_ subtitle: String) { adw_window_title_set_subtitle(opaque, subtitle) }
}
