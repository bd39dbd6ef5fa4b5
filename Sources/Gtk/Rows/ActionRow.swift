import CGtk

/// A row of a list with a title, which is no markup.
@MainActor
public class PreferencesRow: Widget {
  override class var type: GType { adw_preferences_row_get_type() }

  /// What it says, or what is typed or chosen in it.
  public var title: String {
    get { adw_preferences_row_get_title(ptr()).map { String(cString: $0) } ?? "" }
    set {
      adw_preferences_row_set_use_markup(ptr(), 0)
      adw_preferences_row_set_title(ptr(), newValue)
    }
  }
}

/// A row of a list with a title, a subtitle and what there is to click in it.
@MainActor
public class ActionRow: PreferencesRow {
  override class var type: GType { adw_action_row_get_type() }

  /// A row that says `title`, and `subtitle` in up to so many lines.
  public convenience init(title: String, subtitle: String, subtitleLines: Int) {
    self.init(owning: UnsafeMutableRawPointer(adw_action_row_new()))
    self.title = title
    setSubtitle(subtitle)
    adw_action_row_set_subtitle_lines(ptr(), Int32(clamping: subtitleLines))
    adw_action_row_set_title_lines(ptr(), 1)
    breakWithoutHyphens()
  }

  /// Sets the title, in which an underscore precedes the mnemonic.
  public func setTitle(mnemonic title: String) {
    adw_preferences_row_set_use_underline(ptr(), 1)
    self.title = title
  }

  /// Says something else below the title.
  public func setSubtitle(_ subtitle: String) {
    adw_preferences_row_set_use_markup(ptr(), 0)
    adw_action_row_set_subtitle(ptr(), subtitle)
  }

  /// Has screen readers say the subtitle, and not the tooltip that was set before.
  public func describeBySubtitle() {
    gtk_accessible_reset_property(opaque, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION)
  }

  /// Begins its texts where those of the rows above begin, to which it belongs, and which have a picture
  /// of this width.
  public func indent(by width: Int) {
    let gap = Box(row: [])
    gtk_widget_set_size_request(gap.widget, Int32(clamping: width), -1)
    add(prefix: gap)
  }

  /// Adds a widget at the end.
  public func add(_ suffix: Widget) { adw_action_row_add_suffix(ptr(), suffix.widget) }

  /// Shows the whole title, in several lines if necessary.
  public func wrapTitle() { adw_action_row_set_title_lines(ptr(), 0) }

  /// Leaves the keyboard focus to the widgets in it.
  public func refuseOwnFocus() { gtk_widget_set_focusable(widget, 0) }

  /// Adds a widget at the start.
  public func add(prefix: Widget) { adw_action_row_add_prefix(ptr(), prefix.widget) }

  /// Clicks `widget` when it is clicked.
  public func activate(_ widget: Widget) {
    adw_action_row_set_activatable_widget(ptr(), widget.widget)
  }

  /// Makes it insensitive, with a lock and the reason.
  public func lock(_ reason: String) {
    isSensitive = false
    adw_action_row_set_subtitle_lines(ptr(), 0)
    setSubtitle(reason)
    let image = gtk_image_new_from_icon_name("changes-prevent-symbolic")
    adw_action_row_add_prefix(ptr(), image)
  }

  /// Runs `handler` when it is clicked.
  public func onActivate(_ handler: @escaping @MainActor () -> Void) {
    gtk_list_box_row_set_activatable(ptr(), 1)
    connect("activated", handler)
  }
}

/// A row of a list that shows more rows when it is clicked.
@MainActor
public final class ExpanderRow: PreferencesRow {
  override class var type: GType { adw_expander_row_get_type() }

  /// A row that says `title`, without rows in it.
  public convenience init(title: String) {
    self.init(owning: UnsafeMutableRawPointer(adw_expander_row_new()))
    self.title = title
    nameParts()
  }

  /// What it says below the title.
  public var subtitle: String {
    get { adw_expander_row_get_subtitle(ptr()).map { String(cString: $0) } ?? "" }
    set {
      adw_preferences_row_set_use_markup(ptr(), 0)
      adw_expander_row_set_subtitle(ptr(), newValue)
    }
  }

  /// Adds a widget at the start.
  public func add(prefix: Widget) { adw_expander_row_add_prefix(ptr(), prefix.widget) }

  /// Runs `handler` when the rows in it are shown or hidden.
  public func onExpand(_ handler: @escaping @MainActor () -> Void) {
    connect("notify::expanded", handler)
  }

  /// Adds a row to those that are shown when it is clicked.
  public func add(_ row: Widget) { adw_expander_row_add_row(ptr(), row.widget) }

  /// Removes a row in it.
  public func remove(_ row: Widget) { adw_expander_row_remove(ptr(), row.widget) }

  /// Whether the rows in it are shown.
  public var isExpanded: Bool {
    get { adw_expander_row_get_expanded(ptr()) != 0 }
    set { adw_expander_row_set_expanded(ptr(), newValue ? 1 : 0) }
  }
}
