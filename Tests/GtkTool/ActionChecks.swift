import CGtk
import Gtk

/// Activates an action like a button in `widget`.
private func activate(
  _ name: String, with parameter: OpaquePointer? = nil, in widget: Widget
) -> Bool {
  gtk_widget_activate_action_variant(widget.ptr(), name, parameter) != 0
}

/// A page's actions are in their own group, with parameters and states.
func checkActions() {
  do {
    let page = Box(column: [], spacing: 0)
    let inner = Label("")
    page.append(inner)
    let probe = Probe()
    var told: [String] = []
    let plain = Action("plain") { [probe] in
      probe.touch()
      told.append("plain")
    }
    let toggle = StatefulAction("toggle", state: false) { told.append("\($0)") }
    let group = ActionGroup([
      plain, toggle,
      Action("choose", parameter: String.self) { told.append($0) },
      Action("count", parameter: Int.self) { told.append("\($0)") },
    ])
    LiveObjects.watch(group)
    page.insert(group, as: "page")
    expect(activate("page.plain", in: inner), "widgets in the page have the page's actions")
    expect(!activate("other.plain", in: inner), "widgets in the page have no other actions")
    _ = activate("page.choose", with: g_variant_new_string("é and 🗝"), in: inner)
    _ = activate("page.count", with: g_variant_new_int32(-7), in: inner)
    expect(told == ["plain", "é and 🗝", "-7"], "parameters: \(told)")

    told = []
    _ = activate("page.toggle", in: inner)
    _ = activate("page.toggle", in: inner)
    expect(told == ["true", "false"], "a toggle's handler gets the new state: \(told)")
    toggle.state = true
    expect(told.count == 2 && toggle.state, "setting the state does not call the handler")

    plain.isEnabled = false
    expect(!plain.isEnabled, "an action can be disabled")
    _ = activate("page.plain", in: inner)
    expect(told.count == 2, "a disabled action does nothing: \(told)")
    expect(Probe.alive == 1, "a handler retains its captures")
  }
  expect(LiveObjects.count == 0, "the group is released with the page")
  expect(Probe.alive == 0, "the handlers' captures are released")
}
