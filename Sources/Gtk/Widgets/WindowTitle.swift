import CGtk

/// The title of a window in its header bar.
@MainActor
public final class WindowTitle: Widget {
  override class var type: GType { adw_window_title_get_type() }

  /// What stands below the title, such as what is open; empty for nothing.
  public func setSubtitle(_ subtitle: String) { adw_window_title_set_subtitle(opaque, subtitle) }
}
