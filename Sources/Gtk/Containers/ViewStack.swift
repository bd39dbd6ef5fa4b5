import CGtk

/// The pages of a window, one of which is shown; a view switcher offers them.
@MainActor
public final class ViewStack: Widget {
  override class var type: GType { adw_view_stack_get_type() }

  /// Adds a page.
  public func add(_ page: Widget, name: String, title: String, icon: String) {
    adw_view_stack_add_titled(opaque, page.widget, name, title)
    let added = adw_view_stack_get_page(opaque, page.widget)
    adw_view_stack_page_set_icon_name(added, icon)
  }

  /// The name of the page that is shown; empty without one.
  public var visibleName: String {
    get { adw_view_stack_get_visible_child_name(opaque).map { String(cString: $0) } ?? "" }
    set { adw_view_stack_set_visible_child_name(opaque, newValue) }
  }

  /// Calls `handler` when another page is shown.
  public func onChange(_ handler: @escaping @MainActor () -> Void) {
    connect("notify::visible-child", handler)
  }
}

/// A switcher of a window's pages at its bottom, where there is no room for one in the header bar.
@MainActor
public final class ViewSwitcherBar: Widget {
  override class var type: GType { adw_view_switcher_bar_get_type() }
}

/// The title of a window in its header bar, or a switcher of its pages where there is room.
@MainActor
public final class ViewSwitcherTitle: Widget {
  override class var type: GType { adw_view_switcher_title_get_type() }

  /// What stands below the title, such as what is open; empty for nothing.
  public func setSubtitle(_ subtitle: String) {
    adw_view_switcher_title_set_subtitle(opaque, subtitle)
  }

  /// Whether the title is shown, and not the switcher.
  public var showsTitle: Bool { adw_view_switcher_title_get_title_visible(opaque) != 0 }

  /// Calls `handler` when the switcher gives way to the title, or the other way round.
  public func onChange(_ handler: @escaping @MainActor () -> Void) {
    connect("notify::title-visible", handler)
  }
}
