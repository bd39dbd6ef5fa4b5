import CGtk

/// A window with actions of its own, whose prefix is `win`.
@MainActor
public final class ApplicationWindow: Window, ActionMap {
  override class var type: GType { gtk_application_window_get_type() }
}
