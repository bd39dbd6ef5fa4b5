import CGtk

/// A button with a list, of which one thing is chosen.
@MainActor
public final class DropDown: Widget {
  override class var type: GType { gtk_drop_down_get_type() }

  /// Offers `choices`.
  public func setChoices(_ choices: [String]) {
    let list = Object(owning: gtk_string_list_new(nil))
    for choice in choices { gtk_string_list_append(list.opaque, choice) }
    if gtk_drop_down_get_model(opaque) == nil {
      // The handler belongs to the widget, so the pointer outlives it.
      let raw = raw
      onChange { DropDown(borrowing: raw).nameButton() }
    }
    gtk_drop_down_set_model(opaque, list.opaque)
    nameButton()
  }

  /// Has screen readers say what is chosen, and not "GtkToggleButton".
  private func nameButton() {
    guard let item = gtk_drop_down_get_selected_item(opaque) else { return }
    let text = String(cString: gtk_string_object_get_string(OpaquePointer(item)))
    for child in children where entrance_is_a(child.raw, gtk_toggle_button_get_type()) != 0 {
      child.setAccessibleLabel(text)
    }
    guard gtk_check_version(4, 14, 0) == nil else { return }
    // It would be called by what is chosen, and not by its accessible label.
    gtk_accessible_reset_relation(opaque, GTK_ACCESSIBLE_RELATION_LABELLED_BY)
    setAccessibleDescription(text)
  }

  /// Has screen readers call its list `name`, and not "GtkListView".
  public func nameList(_ name: String) { nameLists(name) }

  /// Has what is chosen end in an ellipsis where there is no room for it.
  public func ellipsize() {
    let factory = makeLabelFactory {
      String(cString: gtk_string_object_get_string(OpaquePointer($0)))
    }
    // The list goes on marking what is chosen.
    gtk_drop_down_set_list_factory(opaque, gtk_drop_down_get_factory(opaque))
    gtk_drop_down_set_factory(opaque, factory.opaque)
  }

  /// The index of what is chosen.
  public var selected: Int {
    get { Int(gtk_drop_down_get_selected(opaque)) }
    set { gtk_drop_down_set_selected(opaque, UInt32(clamping: newValue)) }
  }

  /// Calls `handler` when something else is chosen.
  public func onChange(_ handler: @escaping @MainActor () -> Void) {
    connect("notify::selected", handler)
  }
}
