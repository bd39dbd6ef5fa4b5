import CGtk
import Gtk

/// A window like the app's, with actions and handlers that capture its owner weakly.
@MainActor
private final class Owner {
  // GTK holds the first reference to a window.
  let window = Window(borrowing: gtk_window_new())
  private let probe = Probe()
  var isGone = false

  init() {
    LiveObjects.watch(window)
    window.onClosed { [weak self] in self?.isGone = true }
    window.onCloseRequest { [weak self] in
      self?.probe.touch()
      return false
    }
    let group = ActionGroup([
      Action("touch") { [weak self] in self?.probe.touch() },
      StatefulAction("toggle", state: true) { [weak self] _ in self?.probe.touch() },
    ])
    LiveObjects.watch(group)
    window.insert(group, as: "owner")
    let button = Button(mnemonic: "_Touch")
    LiveObjects.watch(button)
    button.onClick { [weak self] in self?.probe.touch() }
    gtk_window_set_child(window.ptr(), button.ptr())
  }
}

/// A closed window leaks nothing, nor do its transient windows.
func checkWindows() async {
  let application = Application(id: "io.github.entrance.GtkTool")
  expect(g_application_register(application.ptr(), nil, nil) != 0, "an application")
  for _ in 0..<3 {
    var first: Owner? = Owner()
    var second: Owner? = Owner()
    guard let main = first?.window, let other = second?.window else { return }
    main.setApplication(application)
    main.makeWindowGroup()
    other.setTransient(for: main)
    expect(
      gtk_window_get_group(other.ptr()) == gtk_window_get_group(main.ptr())
        && gtk_window_get_group(main.ptr()) != gtk_window_get_group(nil),
      "it is in its parent's window group, not in the default group")
    expect(
      gtk_window_get_application(other.ptr()) == gtk_window_get_application(main.ptr()),
      "it has the same application")
    main.present()
    other.present()
    await expectSoon("both are on the screen") {
      main.isMapped && other.isMapped
    }
    main.close()
    await expectSoon("the second window closes with the first") {
      first?.isGone == true && second?.isGone == true
    }
    (first, second) = (nil, nil)
  }
  await expectSoon("no window, action or button is leaked") { LiveObjects.count == 0 }
  expect(Probe.alive == 0, "the owners' captures are released: \(Probe.alive)")
  expect(gtk_application_get_windows(application.ptr()) == nil, "the application has no windows")
}
