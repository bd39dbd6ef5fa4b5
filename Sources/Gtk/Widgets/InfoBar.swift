import CGtk

/// A bar across the window that says something.
@MainActor
public final class InfoBar: Widget {
  /// A bar with `child` in it.
  public convenience init(isWarning: Bool, child: Widget) {
    self.init(owning: gtk_info_bar_new())
    gtk_info_bar_set_message_type(opaque, isWarning ? GTK_MESSAGE_WARNING : GTK_MESSAGE_INFO)
    gtk_info_bar_add_child(opaque, child.widget)
  }
}
