import CGtk

// What screen readers say about a widget.
extension Widget {
  /// Sets whether screen readers leave it out, such as while something else stands for it.
  public func setAccessibleHidden(_ isHidden: Bool) {
    entrance_set_accessible_hidden(raw, isHidden ? 1 : 0)
  }

  /// Sets whether screen readers know it as the selected row of its list, or as one that is not.
  ///
  /// Call it when the row is in its list.
  func setAccessibleSelected(_ isSelected: Bool) {
    // As long as GTK could select it, GTK 4.8 says that it is not, whenever it gets into a window.
    gtk_list_box_row_set_selectable(ptr(), 0)
    let row = raw
    entrance_set_accessible_selected(row, isSelected ? 1 : 0)
    // GTK 4.18 takes the state away before. The handler belongs to the row, so the pointer outlives
    // it.
    onShow { entrance_set_accessible_selected(row, isSelected ? 1 : 0) }
  }

  /// Sets its accessible name for screen readers.
  public func setAccessibleLabel(_ label: String) { entrance_set_accessible_label(raw, label) }

  /// Sets the accessible name of the lists in it, which screen readers would call by their class.
  func nameLists(_ name: String) {
    for widget in descendants { widget.cast(to: ListView.self)?.setAccessibleLabel(name) }
  }

  /// Sets its accessible description for screen readers, in place of the text that GTK or libadwaita
  /// would describe it by, such as a row's subtitle.
  public func setAccessibleDescription(_ description: String) {
    // Since GTK 4.14, the description is not heeded beside such a relation.
    gtk_accessible_reset_relation(opaque, GTK_ACCESSIBLE_RELATION_DESCRIBED_BY)
    entrance_set_accessible_description(raw, description)
    g_object_set_data_full(
      object, Self.descriptionKey, g_strdup(description), { g_free($0) })
  }

  private static let descriptionKey = "entrance-description"

  /// The description that was set before.
  fileprivate var accessibleDescription: String? {
    g_object_get_data(object, Self.descriptionKey).map {
      String(cString: $0.assumingMemoryBound(to: CChar.self))
    }
  }

  /// Gives it another description for a moment, and then none.
  ///
  /// A screen reader says that if the widget has the focus, but does not repeat it with the next focus.
  /// It would say the widget's own one at once, and not say the text to its end.
  fileprivate func sayDescription(_ text: String) {
    entrance_set_accessible_description(raw, text)
    gtk_accessible_reset_property(opaque, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION)
  }

  /// Gives it the description again that was set.
  fileprivate func restoreDescription() {
    if let accessibleDescription { entrance_set_accessible_description(raw, accessibleDescription) }
  }

  /// The texts of the labels in it that are shown, in reading order.
  public var visibleTexts: [String] {
    guard isVisible else { return [] }
    if let label = cast(to: Label.self) { return label.text.isEmpty ? [] : [label.text] }
    return children.flatMap(\.visibleTexts)
  }

  /// Keeps its lists from being called "GtkListBox", and buttons for a search "GtkImage".
  ///
  /// - Parameter search: what such a button is called.
  func nameParts(search: String? = nil) {
    for child in descendants {
      if entrance_is_a(child.raw, gtk_list_box_get_type()) != 0 { child.setAccessibleLabel("") }
      if let search, child.startsSearch {
        gtk_accessible_reset_relation(child.opaque, GTK_ACCESSIBLE_RELATION_LABELLED_BY)
        child.setAccessibleLabel(search)
      }
      if search != nil { child.nameStackPages() }
    }
  }

  /// Keeps pages of a stack that have no title from being called "GtkStackPage", and those of the
  /// shortcuts from being called "_1", with GTK's mark of a mnemonic.
  fileprivate func nameStackPages() {
    guard entrance_is_a(raw, gtk_stack_get_type()) != 0 else { return }
    for child in children {
      guard let page = gtk_stack_get_page(opaque, child.widget) else { continue }
      if let title = gtk_stack_page_get_title(page) {
        gtk_stack_page_set_title(page, String(cString: title).replacing("_", with: ""))
      } else {
        entrance_set_accessible_label(UnsafeMutableRawPointer(page), "")
      }
    }
  }

  /// The button within it that begins a search.
  fileprivate var searchButton: Widget? { descendants.first(where: \.startsSearch) }

  private var startsSearch: Bool {
    guard entrance_is_a(raw, gtk_toggle_button_get_type()) != 0, let image = children.first,
      entrance_is_a(image.raw, gtk_image_get_type()) != 0,
      let icon = gtk_image_get_icon_name(image.opaque)
    else { return false }
    return String(cString: icon) == "edit-find-symbolic"
  }

  /// The row whose text this is: screen readers know only the row.
  fileprivate var entryRow: EntryRow? {
    guard entrance_is_a(raw, gtk_text_get_type()) != 0 else { return nil }
    return gtk_widget_get_ancestor(widget, adw_entry_row_get_type()).map {
      EntryRow(borrowing: $0)
    }
  }

  /// The entry whose text this is, or itself: screen readers know only the entry.
  fileprivate var knownPart: Widget {
    guard entrance_is_a(raw, gtk_text_get_type()) != 0, let entry = gtk_widget_get_parent(widget)
    else { return self }
    return Widget(borrowing: entry)
  }

  fileprivate var object: UnsafeMutablePointer<GObject> { ptr() }
}

extension MenuButton {
  /// Makes its tooltip its accessible name if it has an icon, and gives the items of its menu their
  /// texts as accessible names whenever it opens.
  ///
  /// GTK 4.18 names them by labels that it hides from screen readers, so that they have no names.
  func nameItems() {
    if gtk_menu_button_get_icon_name(opaque) != nil, let tooltip {
      setAccessibleLabel(tooltip)
      // GTK describes it by its tooltip, too, which a screen reader would say after the same name.
      gtk_accessible_reset_property(opaque, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION)
    }
    guard let popover = gtk_menu_button_get_popover(opaque) else { return }
    if entrance_is_a(popover, gtk_popover_menu_get_type()) != 0 {
      // Otherwise it is called "GtkPopoverMenu".
      Widget(borrowing: popover).setAccessibleLabel(tooltip ?? "")
    }
    // The handler belongs to the popover, so the pointer outlives it.
    Widget(borrowing: popover).connect("map") { Widget(borrowing: popover).nameMenuItems() }
  }
}

extension Widget {
  fileprivate func nameMenuItems() {
    for child in descendants {
      if entrance_is_a(child.raw, g_type_from_name("GtkModelButton")) != 0,
        let text = child.visibleTexts.first
      {
        gtk_accessible_reset_relation(child.opaque, GTK_ACCESSIBLE_RELATION_LABELLED_BY)
        child.setAccessibleLabel(text)
      }
      child.nameStackPages()
    }
  }
}

extension Window {
  /// Names the parts that GTK and libadwaita have added, which screen readers would call by the names
  /// of their classes.
  ///
  /// - Parameter search: what the button that begins a search is called.
  public func nameOwnParts(search: String) { nameParts(search: search) }

  /// Gives the keyboard focus to the button that begins a search.
  public func focusSearchButton() { _ = searchButton?.grabFocus() }

  /// Has a screen reader say `text`, as soon as this window is in the foreground; not if that takes
  /// long, or there is another text by then.
  ///
  /// Before GTK 4.14 there are no announcements, but screen readers say a new description of the
  /// focused widget.
  public func announce(_ text: String) {
    // Not before what GTK says about the focus.
    MainLoop.whenIdle { [self] in
      if isActive { say(text) } else { WaitingAnnouncement.of(self).set(text) }
    }
  }

  /// Has a screen reader say `text`, and then what describes the widget with the focus: the text may
  /// come before that was said, and cut it short.
  func announceWithDescription(_ text: String) {
    // Not before a widget has the focus.
    MainLoop.whenIdle { [self] in
      let texts = [text, focusedWidget?.accessibleDescription]
      announce(texts.compactMap(\.self).joined(separator: "\n"))
    }
  }

  private func say(_ text: String) {
    if let announce = NewerGtk.announce {
      return announce(opaque, text, NewerGtk.mediumPriority)
    }
    guard let focused = focusedWidget else { return }
    let row = focused.entryRow
    // They ignore the descriptions of all widgets but one: that with the focus, or the window as long
    // as they know of no focus in it.
    let part: Widget = row ?? focused.knownPart
    for widget in [part, self] { widget.sayDescription(text) }
    if part.isEditable {
      // What is wrong with a field must be there while it has the focus.
      part.restoreDescription()
    } else if part.accessibleDescription != nil {
      restoreLater(part)
    }
    // Until its text changes, they do not know that the row has the focus.
    if row != nil { lastKnownFocus?.sayDescription(text) }
  }

  /// Gives `widget` its own description again once the focus has moved.
  private func restoreLater(_ widget: Widget) {
    silenced = widget
    guard g_object_get_data(object, Self.restoringKey) == nil else { return }
    // The handler belongs to the window, so the pointer outlives it.
    let pointer = raw
    g_object_set_data(object, Self.restoringKey, pointer)
    onFocusChange {
      let window = Window(borrowing: pointer)
      window.silenced?.restoreDescription()
      window.silenced = nil
    }
  }

  /// Has a screen reader say the name of an entry row that gets the focus: with libadwaita 1.2, it
  /// does not notice.
  func announceEntryRows() {
    guard ScreenReader.ignoresEntryRows else { return }
    // The handler belongs to the window, so the pointer outlives it.
    let window = raw
    onFocusChange { Window(borrowing: window).focusHasMoved() }
    onForeground { Window(borrowing: window).focusHasMoved() }
  }

  private func focusHasMoved() {
    // When it comes to the foreground, this is called again.
    guard isActive, let focused = focusedWidget else { return }
    if let text = focused.entryRow?.spokenText {
      // It is said again when the window comes to the foreground, so this does not wait for that.
      return MainLoop.whenIdle { [self] in say(text) }
    }
    lastKnownFocus?.restoreDescription()
    lastKnownFocus = focused
  }

  /// The widget that had the focus last, apart from entry rows.
  private var lastKnownFocus: Widget? {
    get { kept(for: Self.focusKey) }
    set { keep(newValue, for: Self.focusKey) }
  }

  /// The widget that has no description at the moment, because a screen reader would say it.
  private var silenced: Widget? {
    get { kept(for: Self.silencedKey) }
    set { keep(newValue, for: Self.silencedKey) }
  }

  private func kept(for key: String) -> Widget? {
    g_object_get_data(object, key).map { Widget(borrowing: $0) }
  }

  private func keep(_ widget: Widget?, for key: String) {
    g_object_set_data_full(
      object, key, widget.flatMap { g_object_ref($0.raw) }, { g_object_unref($0) })
  }

  private static let focusKey = "entrance-focus"
  private static let silencedKey = "entrance-silenced"
  private static let restoringKey = "entrance-restoring"
}

extension EntryRow {
  /// Its title, its text unless it is a password, and its description.
  fileprivate var spokenText: String {
    [title, isPassword ? nil : text, accessibleDescription].compactMap(\.self)
      .filter { !$0.isEmpty }.joined(separator: ". ")
  }
}
