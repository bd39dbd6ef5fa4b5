import CGtk

/// An info bar across the window.
@MainActor
public final class InfoBar: Widget {
  override class var type: GType { gtk_info_bar_get_type() }

  /// Creates an info bar with `child`.
  public convenience init(isWarning: Bool, child: Widget) {
    self.init(owning: gtk_info_bar_new())
    self.isWarning = isWarning
    gtk_info_bar_add_child(opaque, child.widget)
  }

  /// Adds `button` at the end, beside the first lines.
  public func addAction(_ button: Button) {
    gtk_info_bar_add_action_widget(opaque, button.widget, GTK_RESPONSE_CLOSE.rawValue)
    // GTK has it in the middle, which moves when details are opened.
    gtk_widget_set_valign(gtk_widget_get_parent(button.widget), GTK_ALIGN_START)
  }

  /// Whether it warns; otherwise it informs.
  public var isWarning: Bool {
    get { gtk_info_bar_get_message_type(opaque) == GTK_MESSAGE_WARNING }
    set {
      gtk_info_bar_set_message_type(opaque, newValue ? GTK_MESSAGE_WARNING : GTK_MESSAGE_INFO)
    }
  }
}
