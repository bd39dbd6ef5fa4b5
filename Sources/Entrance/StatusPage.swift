import CGtk
import Gtk

/// A page that says why there is no account page, and what can be done.
@MainActor
final class StatusPage {
  /// A button: its label, and what it does.
  struct Choice {
    /// The label, with a mnemonic.
    var label: String
    /// Runs when it is clicked.
    var action: @MainActor () -> Void
  }

  /// The page.
  let widget: Object

  private let detailsLabel: Object
  private let firstButton: Object

  /// Creates a page with one button or two, the first of which is the suggested one.
  ///
  /// - Parameter details: what a person may want to copy: addresses, paths, the words of an error.
  init(
    icon: String, title: String, description: String, details: String, first: Choice,
    second: Choice?
  ) throws(GLibError) {
    let builder = try Builder(resource: Window.resourcePath + "ui/status-page.ui")
    widget = builder.object("page")
    adw_status_page_set_icon_name(widget.opaque, icon)
    adw_status_page_set_title(widget.opaque, title)
    // The description is markup; what goes in here is text.
    let escaped = g_markup_escape_text(description, -1)
    adw_status_page_set_description(widget.opaque, escaped)
    g_free(escaped)
    detailsLabel = builder.object("details_label")
    gtk_label_set_text(detailsLabel.opaque, details)
    firstButton = builder.object("first_button")
    Self.set(firstButton, to: first)
    Self.set(builder.object("second_button"), to: second)
  }

  /// Gives the keyboard focus to the suggested button.
  func focus() {
    guard let window = gtk_widget_get_root(widget.widget) else { return }
    gtk_root_set_focus(window, firstButton.widget)
    // The label was focused before, which selects all of it.
    gtk_label_select_region(detailsLabel.opaque, 0, 0)
  }

  private static func set(_ button: Object, to choice: Choice?) {
    gtk_widget_set_visible(button.widget, choice == nil ? 0 : 1)
    guard let choice else { return }
    gtk_button_set_use_underline(button.ptr(), 1)
    gtk_button_set_label(button.ptr(), choice.label)
    // Its text alone is the accessible name, without the mnemonic.
    gtk_accessible_reset_property(button.opaque, GTK_ACCESSIBLE_PROPERTY_LABEL)
    button.connect("clicked") { choice.action() }
  }
}
