import CGtk

/// A row of a list in which one of several things is chosen.
@MainActor
public final class ComboRow: Widget {
  override class var type: GType { adw_combo_row_get_type() }

  /// Offers `choices`.
  public func setChoices(_ choices: [String]) {
    let list = Object(owning: gtk_string_list_new(nil))
    for choice in choices { gtk_string_list_append(list.opaque, choice) }
    adw_combo_row_set_model(ptr(), list.opaque)
  }

  /// The index of what is chosen.
  public var selected: Int {
    get { Int(adw_combo_row_get_selected(ptr())) }
    set { adw_combo_row_set_selected(ptr(), UInt32(clamping: newValue)) }
  }

  /// The same row, as one with a subtitle.
  public var actionRow: ActionRow { ActionRow(borrowing: opaque) }

  /// Runs `handler` when something else is chosen.
  public func onChange(_ handler: @escaping @MainActor () -> Void) {
    connect("notify::selected", handler)
  }
}
