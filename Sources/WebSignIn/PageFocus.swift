import CGtk
import Gtk

/// Moves the keyboard's focus between the page and the window's own controls.
///
/// At the end of a page, WebKit moves the focus on to the next widget. It counts a helper of its own as
/// one, in which keys would be lost; and it hands the same press of Tab to the window once more, which
/// would move the focus a second time.
@MainActor
final class PageFocus {
  private let window: Object
  private let view: Object
  private let keys = Object(owning: UnsafeMutableRawPointer(gtk_event_controller_key_new()))
  /// The press of Tab that came last, and whether the page had the focus.
  private var lastTab: (time: guint32, event: OpaquePointer?, wasInPage: Bool)?
  /// Whether the page has come to its end, so that it begins anew when the focus comes back.
  private var pageLetGo = false
  /// What the window itself chose when it was opened.
  private let initial: UnsafeMutablePointer<GtkWidget>?
  /// Whether the person has gone to one of the window's controls.
  private var isInControls = false

  /// Takes charge of `window`, which is on the screen and shows the page in `view`.
  init(window: Object, view: Object) {
    self.window = window
    self.view = view
    initial = gtk_window_get_focus(window.ptr())
    var child = gtk_widget_get_first_child(view.widget)
    while let widget = child {
      gtk_widget_set_can_focus(widget, 0)
      child = gtk_widget_get_next_sibling(widget)
    }
    gtk_event_controller_set_propagation_phase(keys.opaque, GTK_PHASE_CAPTURE)
    keys.connectReturningBool("key-pressed") { [weak self] arguments in
      let isTab = [Int(GDK_KEY_Tab), Int(GDK_KEY_ISO_Left_Tab)].contains(arguments.int(0))
      guard let self, isTab else { return false }
      return pressedTab()
    }
    // The widget takes the controller over.
    g_object_ref(keys.raw)
    gtk_widget_add_controller(window.widget, keys.opaque)
    window.connect("notify::focus-widget") { [weak self] in self?.moved() }
  }

  isolated deinit {
    if let event = lastTab?.event { gdk_event_unref(event) }
  }

  /// Gives the focus to the page that begins to appear, unless the person has gone elsewhere.
  func grab() {
    let focus = gtk_window_get_focus(window.ptr())
    let isElsewhere = focus.map { $0 != view.widget && gtk_widget_get_mapped($0) != 0 } ?? false
    if isElsewhere, isInControls || focus != initial { return }
    gtk_widget_grab_focus(view.widget)
  }

  private var isInPage: Bool { gtk_window_get_focus(window.ptr()) == view.widget }

  /// - Returns: whether the press has done what it should already.
  private func pressedTab() -> Bool {
    let time = gtk_event_controller_get_current_event_time(keys.opaque)
    let isAgain = lastTab?.time == time
    if isAgain, lastTab?.wasInPage == true, !isInPage {
      pageLetGo = true
      return true
    }
    if isAgain { return false }
    if let event = lastTab?.event { gdk_event_unref(event) }
    lastTab = (
      time, gtk_event_controller_get_current_event(keys.opaque).map { gdk_event_ref($0) }, isInPage
    )
    isInControls = true
    return false
  }

  private func moved() {
    guard isInPage else { return }
    isInControls = false
    // The page has no control that is focused: the same press leads to its first, or its last.
    guard pageLetGo, let event = lastTab?.event, lastTab?.wasInPage == false else { return }
    pageLetGo = false
    gdk_display_put_event(gtk_widget_get_display(view.widget), event)
  }
}
