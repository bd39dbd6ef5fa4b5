import CGtk

/// A heading that shows or hides a widget when it is clicked.
@MainActor
public final class Expander: Widget {
  override class var type: GType { gtk_expander_get_type() }

  /// Creates an expander that hides `child`; an underscore in `label` precedes the mnemonic.
  public convenience init(mnemonic label: String, child: Widget) {
    self.init(owning: gtk_expander_new_with_mnemonic(label))
    gtk_expander_set_child(opaque, child.widget)
    // GTK 4.8 would name it by its class.
    setAccessibleLabel(label.filter { $0 != "_" })
  }
}
