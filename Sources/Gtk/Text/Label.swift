import CGtk

/// A text that cannot be edited.
@MainActor
public final class Label: Widget {
  override class var type: GType { gtk_label_get_type() }

  /// Creates a label with `text`.
  public convenience init(_ text: String) {
    self.init(owning: gtk_label_new(text))
  }

  /// Its text.
  public var text: String {
    get { gtk_label_get_text(opaque).map { String(cString: $0) } ?? "" }
    set { gtk_label_set_text(opaque, newValue) }
  }

  /// Shows a text; an empty one, or none, needs no place.
  public func show(ifAny text: String?) {
    self.text = text ?? ""
    isVisible = text?.isEmpty == false
  }

  /// Sets its text, and aligns its lines like the interface, even if the text is written in the
  /// other direction.
  public func setAlignedText(_ text: String) {
    let rightToLeftMark = "\u{200F}"
    self.text = isRightToLeft && !text.isEmpty ? rightToLeftMark + text : text
  }

  /// Sets its text, and has a user name that is too long for a line break at its parts: after the
  /// `@`, and before a period.
  public func setUserName(_ text: String) {
    let zeroWidthSpace = "\u{200B}"
    self.text = text.reduce(into: "") { parts, character in
      if character == "." { parts += zeroWidthSpace }
      parts.append(character)
      if character == "@" { parts += zeroWidthSpace }
    }
  }

  /// Wraps lines that are too long, within a word if necessary.
  public func wrap() {
    gtk_label_set_wrap(opaque, 1)
    gtk_label_set_wrap_mode(opaque, PANGO_WRAP_WORD_CHAR)
    breakWithoutHyphens()
  }

  /// Wraps a text that is too long, and shows the start of one that needs more lines than `count`.
  public func wrap(upTo count: Int) {
    ellipsize()
    gtk_label_set_wrap(opaque, count > 1 ? 1 : 0)
    gtk_label_set_wrap_mode(opaque, PANGO_WRAP_WORD_CHAR)
    gtk_label_set_lines(opaque, count > 1 ? Int32(clamping: count) : -1)
    if gtk_label_get_attributes(opaque) == nil { omitHyphens() }
  }

  /// Whether a part of the text is not shown because it is too long.
  var isShortened: Bool { pango_layout_is_ellipsized(gtk_label_get_layout(opaque)) != 0 }

  /// Breaks words without hyphens, which could be mistaken for a part of an address or a code.
  fileprivate func omitHyphens() {
    guard gtk_label_get_wrap(opaque) != 0 else { return }
    let attributes =
      gtk_label_get_attributes(opaque).flatMap { pango_attr_list_copy($0) } ?? pango_attr_list_new()
    pango_attr_list_insert(attributes, pango_attr_insert_hyphens_new(0))
    gtk_label_set_attributes(opaque, attributes)
    pango_attr_list_unref(attributes)
  }

  /// Shows the start of a text that is too long.
  public func ellipsize() { gtk_label_set_ellipsize(opaque, PANGO_ELLIPSIZE_END) }

  /// Keeps room for so many characters, also where others must be shortened.
  public func keepRoom(for count: Int) { gtk_label_set_width_chars(opaque, Int32(clamping: count)) }

  /// Centers each line.
  fileprivate func justifyCenter() { gtk_label_set_justify(opaque, GTK_JUSTIFY_CENTER) }

  /// Begins where the line of its row begins, and not in the middle.
  public func alignToStart() { gtk_label_set_xalign(opaque, 0) }

  /// Aligns the text to the right or left, in any language.
  public func align(toRight: Bool) { gtk_label_set_xalign(opaque, toRight ? 1 : 0) }

  /// Lets the user select and copy the text.
  public func makeSelectable() { gtk_label_set_selectable(opaque, 1) }

  /// Removes the selection.
  public func deselect() { gtk_label_select_region(opaque, 0, 0) }

  /// Shows the whole text in a tooltip while there is no room for it.
  public func showWholeInTooltip() {
    gtk_widget_set_has_tooltip(widget, 1)
    // The handler belongs to the widget, so the pointer outlives it.
    let raw = raw
    connectReturningBool("query-tooltip") { arguments in
      let label = Label(borrowing: raw)
      guard label.isShortened, let tooltip = arguments.object(3) else { return false }
      gtk_tooltip_set_text(tooltip.opaque, label.text)
      return true
    }
  }
}

extension Widget {
  /// Shows its tooltip only while it says more than the labels in it, or one of them is shortened.
  public func hideRepeatingTooltip() {
    // The handler belongs to the widget, so the pointer outlives it.
    let raw = raw
    connectReturningBool("query-tooltip") { _ in
      let widget = Widget(borrowing: raw)
      let labels = widget.descendants.compactMap { $0.cast(to: Label.self) }
      let isRepeated = labels.contains { $0.text.contains(widget.tooltip ?? "") }
      // What GTK does by itself is to show it.
      if isRepeated, !labels.contains(where: \.isShortened) {
        g_signal_stop_emission_by_name(raw, "query-tooltip")
      }
      return false
    }
  }

  /// Has it, if it is a label, and the labels in it break words without hyphens.
  func breakWithoutHyphens() {
    for widget in [self] + descendants { widget.cast(to: Label.self)?.omitHyphens() }
  }

  /// Has the labels in it, such as those of buttons, go on in another line where there is no room for
  /// their texts.
  public func wrapLabels() {
    for label in descendants.compactMap({ $0.cast(to: Label.self) }) {
      label.wrap()
      label.justifyCenter()
    }
  }

  /// Has the labels in it end in an ellipsis where there is no room for their texts.
  public func shortenLabels() {
    for widget in descendants { widget.cast(to: Label.self)?.ellipsize() }
  }
}
