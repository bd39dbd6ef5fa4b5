import CGtk
import Gtk

/// A window as the app makes them: with actions and handlers that hold its owner weakly.
@MainActor
private final class Owner {
  // GTK has the first reference to a window.
  let window = Object(borrowing: UnsafeMutableRawPointer(gtk_window_new()))
  private let probe = Probe()
  var isGone = false

  init() {
    Living.watch(window)
    window.whenGone { [weak self] in self?.isGone = true }
    window.connectReturningBool("close-request") { [weak self] _ in
      self?.probe.touch()
      return false
    }
    let group = Object(owning: g_simple_action_group_new())
    Living.watch(group)
    group.add([
      Action("touch") { [weak self] in self?.probe.touch() },
      Action(toggle: "toggle", isOn: true) { [weak self] _ in self?.probe.touch() },
    ])
    gtk_widget_insert_action_group(window.widget, "owner", group.opaque)
    let button = Object(owning: UnsafeMutableRawPointer(gtk_button_new_with_label("Touch")))
    Living.watch(button)
    button.connect("clicked") { [weak self] in self?.probe.touch() }
    gtk_window_set_child(window.ptr(), button.widget)
  }
}

/// A window that is closed leaves nothing behind, nor do the windows that belong to it.
func checkWindows() async {
  let application = Object(
    owning: UnsafeMutableRawPointer(
      gtk_application_new("io.github.entrance.GtkTool", G_APPLICATION_NON_UNIQUE)))
  expect(g_application_register(application.ptr(), nil, nil) != 0, "an application")
  for _ in 0..<3 {
    var first: Owner? = Owner()
    var second: Owner? = Owner()
    guard let main = first?.window, let other = second?.window else { return }
    gtk_window_set_application(main.ptr(), application.ptr())
    other.belong(to: main)
    expect(
      gtk_window_get_application(other.ptr()) == gtk_window_get_application(main.ptr()),
      "it belongs to the same application")
    gtk_window_present(main.ptr())
    gtk_window_present(other.ptr())
    await expectSoon("both are on the screen") {
      gtk_widget_get_mapped(main.widget) != 0 && gtk_widget_get_mapped(other.widget) != 0
    }
    gtk_window_close(main.ptr())
    await expectSoon("the second goes with the first") {
      first?.isGone == true && second?.isGone == true
    }
    (first, second) = (nil, nil)
  }
  await expectSoon("no window, action or button is left") { Living.count == 0 }
  expect(Probe.alive == 0, "and nothing of their owners: \(Probe.alive)")
  expect(gtk_application_get_windows(application.ptr()) == nil, "the application knows none")
}
