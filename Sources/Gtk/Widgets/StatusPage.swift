import CGtk

/// A page with an icon, a heading and a sentence.
@MainActor
public final class StatusPage: Widget {
  override class var type: GType { adw_status_page_get_type() }

  /// Sets the content.
  public func show(icon: String, title: String, description: String) {
    adw_status_page_set_icon_name(opaque, icon)
    adw_status_page_set_title(opaque, title)
    // The description is markup, so the text must be escaped.
    let escaped = g_markup_escape_text(description, -1)
    adw_status_page_set_description(opaque, escaped)
    g_free(escaped)
  }
}
