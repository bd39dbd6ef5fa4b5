import CGtk

/// A window with its own actions, whose prefix is `win`.
@MainActor
public final class ApplicationWindow: Window, ActionMap {
  override class var type: GType { gtk_application_window_get_type() }
}
