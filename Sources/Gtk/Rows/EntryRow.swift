import CGtk

/// A list row with a text entry.
@MainActor
public final class EntryRow: Widget {
  override class var type: GType { adw_entry_row_get_type() }

  /// A row for a text that `title` describes.
  public convenience init(title: String) {
    self.init(owning: UnsafeMutableRawPointer(adw_entry_row_new()))
    setTitle(title)
  }

  /// A row for a password that `title` describes.
  public convenience init(password title: String) {
    self.init(owning: UnsafeMutableRawPointer(adw_password_entry_row_new()))
    setTitle(title)
  }

  /// Whether it is for a password.
  var isPassword: Bool { entrance_is_a(raw, adw_password_entry_row_get_type()) != 0 }

  /// The typed text.
  public var text: String {
    get { gtk_editable_get_text(opaque).map { String(cString: $0) } ?? "" }
    set { gtk_editable_set_text(opaque, newValue) }
  }

  /// Sets what it is for.
  public func setTitle(_ title: String) {
    adw_preferences_row_set_use_markup(ptr(), 0)
    adw_preferences_row_set_title(ptr(), title)
  }

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
public final class ComboRow: Widget {
  override class var type: GType { adw_combo_row_get_type() }

  /// A row that says `title`.
  public convenience init(title: String) {
    self.init(owning: UnsafeMutableRawPointer(adw_combo_row_new()))
    adw_preferences_row_set_use_markup(ptr(), 0)
    adw_preferences_row_set_title(ptr(), title)
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
    nameLists(adw_preferences_row_get_title(ptr()).map { String(cString: $0) } ?? "")
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

  /// The same row, as one with a subtitle.
  public var actionRow: ActionRow { ActionRow(borrowing: opaque) }

  /// Runs `handler` when something else is chosen.
  public func onChange(_ handler: @escaping @MainActor () -> Void) {
    connect("notify::selected", handler)
  }
}
