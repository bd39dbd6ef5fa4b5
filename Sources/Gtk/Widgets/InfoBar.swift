import CGtk

/// An info bar across the window.
@MainActor
public final class InfoBar: Widget {
  /// Creates an info bar with `child`.
  public convenience init(isWarning: Bool, child: Widget) {
    self.init(owning: gtk_info_bar_new())
    gtk_info_bar_set_message_type(opaque, isWarning ? GTK_MESSAGE_WARNING : GTK_MESSAGE_INFO)
    gtk_info_bar_add_child(opaque, child.widget)
  }

  /// Adds `button` at the end.
  public func addAction(_ button: Button) {
    gtk_info_bar_add_action_widget(opaque, button.widget, GTK_RESPONSE_CLOSE.rawValue)
  }
}
