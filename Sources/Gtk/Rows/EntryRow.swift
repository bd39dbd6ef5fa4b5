import CGtk

/// A list row with a text entry.
@MainActor
public final class EntryRow: PreferencesRow, TextEntry {
  override class var type: GType { adw_entry_row_get_type() }

  /// A row for a text that `title` describes.
  public convenience init(title: String) {
    self.init(owning: UnsafeMutableRawPointer(adw_entry_row_new()))
    self.title = title
  }

  /// A row for a password that `title` describes.
  public convenience init(password title: String) {
    self.init(owning: UnsafeMutableRawPointer(adw_password_entry_row_new()))
    self.title = title
  }

  /// Whether it is for a password.
  var isPassword: Bool { entrance_is_a(raw, adw_password_entry_row_get_type()) != 0 }

  /// Shows a button that applies a changed text.
  public func showApplyButton() { adw_entry_row_set_show_apply_button(ptr(), 1) }

  /// Lets its text be read and copied, but not changed.
  public func makeReadOnly() { gtk_editable_set_editable(opaque, 0) }

  /// Runs `handler` when a changed text is applied.
  public func onApply(_ handler: @escaping @MainActor () -> Void) { connect("apply", handler) }

  /// Runs `handler` when Enter is pressed in it.
  public func onEnter(_ handler: @escaping @MainActor () -> Void) {
    connect("entry-activated", handler)
  }

  /// Runs `handler` when something else is typed or set.
  public func onChange(_ handler: @escaping @MainActor () -> Void) {
    connect("changed", handler)
  }
}

/// A row of a list in which one of several things is chosen.
@MainActor
public final class ComboRow: ActionRow {
  override class var type: GType { adw_combo_row_get_type() }

  /// A row that says `title`.
  public convenience init(title: String) {
    self.init(owning: UnsafeMutableRawPointer(adw_combo_row_new()))
    self.title = title
  }

  /// Offers `choices`.
  public func setChoices(_ choices: [String]) {
    let list = Object(owning: gtk_string_list_new(nil))
    for choice in choices { gtk_string_list_append(list.opaque, choice) }
    if adw_combo_row_get_model(ptr()) == nil {
      // The handlers belong to the widget, so the pointer outlives them.
      let raw = raw
      onChange { ComboRow(borrowing: raw).describeChoice() }
      connect("notify::subtitle") { ComboRow(borrowing: raw).describeChoice() }
    }
    adw_combo_row_set_model(ptr(), list.opaque)
    nameLists(title)
    describeChoice()
  }

  /// Has screen readers say what is chosen, and then the subtitle: from GTK and libadwaita, they get
  /// only the title and the subtitle.
  private func describeChoice() {
    guard let item = adw_combo_row_get_selected_item(ptr()) else { return }
    let choice = String(cString: gtk_string_object_get_string(OpaquePointer(item)))
    let subtitle = adw_action_row_get_subtitle(ptr()).map { String(cString: $0) } ?? ""
    setAccessibleDescription(subtitle.isEmpty ? choice : "\(choice). \(subtitle)")
  }

  /// The index of what is chosen.
  public var selected: Int {
    get { Int(adw_combo_row_get_selected(ptr())) }
    set { adw_combo_row_set_selected(ptr(), UInt32(clamping: newValue)) }
  }

  /// Runs `handler` when something else is chosen.
  public func onChange(_ handler: @escaping @MainActor () -> Void) {
    connect("notify::selected", handler)
  }
}
