import CGtk

/// One of several choices, or a mark that is set or not.
@MainActor
public final class CheckButton: Widget {
  override class var type: GType { gtk_check_button_get_type() }

  /// Creates one that belongs to the same choice as `other`.
  public convenience init(with other: CheckButton?) {
    self.init(owning: gtk_check_button_new())
    if let other { gtk_check_button_set_group(ptr(), other.ptr()) }
    gtk_widget_set_valign(widget, GTK_ALIGN_CENTER)
  }

  /// Whether it is chosen.
  public var isOn: Bool {
    get { gtk_check_button_get_active(ptr()) != 0 }
    set { gtk_check_button_set_active(ptr(), newValue ? 1 : 0) }
  }
}
