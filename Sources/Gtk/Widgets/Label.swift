import CGtk

/// A text that is only read.
@MainActor
public final class Label: Widget {
  override class var type: GType { gtk_label_get_type() }

  /// A label that says `text`.
  public convenience init(_ text: String) {
    self.init(owning: gtk_label_new(text))
  }

  /// What it says.
  public var text: String {
    get { gtk_label_get_text(opaque).map { String(cString: $0) } ?? "" }
    set { gtk_label_set_text(opaque, newValue) }
  }

  /// Goes on in another line where it is too long, within a word if need be.
  public func wrap() {
    gtk_label_set_wrap(opaque, 1)
    gtk_label_set_wrap_mode(opaque, PANGO_WRAP_WORD_CHAR)
  }

  /// Puts each line in the middle.
  public func justifyCenter() { gtk_label_set_justify(opaque, GTK_JUSTIFY_CENTER) }

  /// Puts the text at the right end of its space, or at the left one, in whatever language.
  public func align(toRight: Bool) { gtk_label_set_xalign(opaque, toRight ? 1 : 0) }

  /// Selects nothing of it.
  public func deselect() { gtk_label_select_region(opaque, 0, 0) }
}
