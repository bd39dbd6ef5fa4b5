import CGtk

/// A row of a list that shows more rows when it is clicked.
@MainActor
public final class ExpanderRow: Widget {
  override class var type: GType { adw_expander_row_get_type() }

  /// Whether the rows in it are shown.
  public var isExpanded: Bool {
    get { adw_expander_row_get_expanded(ptr()) != 0 }
    set { adw_expander_row_set_expanded(ptr(), newValue ? 1 : 0) }
  }
}
