import CGtk
import Gtk

/// Releasing the last wrapper releases the object, whoever owned it first.
func checkObjects() {
  do {
    let label = Label("floating")
    LiveObjects.watch(label)
    let second = Object(borrowing: label.raw)
    expect(second == label, "two handles of one object are equal")
    expect(second.cast(to: Widget.self) == label, "a label is a widget")
    expect(second.cast(to: Window.self) == nil, "a label is no window")
    let floating = Box(column: [label], spacing: 6)
    expect(label.parent == floating, "the label is in the box")
    floating.removeAll()
    expect(floating.children.isEmpty && label.parent == nil, "the label is removed from the box")
    expect(LiveObjects.count == 1, "the object lives as long as a wrapper")
  }
  expect(LiveObjects.count == 0, "the object is released")
}

/// A handler that needs its own ID.
@MainActor
private final class KeptHandler {
  var handler: SignalHandler?
}

/// A handler and its captures are released with the object, or when it is disconnected.
func checkHandlers() {
  do {
    let action = Object(owning: g_simple_action_new("probe", nil))
    LiveObjects.watch(action)
    var calls = 0
    let probe = Probe()
    action.connect("activate") { [probe] in
      probe.touch()
      calls += 1
    }
    let kept = KeptHandler()
    kept.handler = action.connect("activate") { [probe, weak action] in
      probe.touch()
      calls += 10
      // Disconnected from within: the closure must live until it has returned.
      if let handler = kept.handler { action?.disconnect(handler) }
    }
    g_action_activate(action.opaque, nil)
    g_action_activate(action.opaque, nil)
    expect(calls == 12, "connected handlers run, and disconnected ones do not: \(calls)")
    expect(Probe.alive == 1, "the handler retains its captures")
  }
  expect(LiveObjects.count == 0, "the object is released")
  expect(Probe.alive == 0, "the handlers' captures are released")
}

/// The arguments of signals have the right types.
func checkArguments() {
  let store = Object(owning: g_list_store_new(gtk_label_get_type()))
  var changes: [[Int]] = []
  store.connect("items-changed") { arguments in
    changes.append((0..<4).map { arguments.int($0) } + [arguments.count])
  }
  let label = Label("é, 漢 and 🗝")
  g_list_store_append(store.opaque, label.raw)
  expect(
    changes == [[0, 0, 1, 0, 3]], "unsigned numbers, and 0 after the last argument: \(changes)")

  let buffer = Object(owning: gtk_text_buffer_new(nil))
  var texts: [String?] = []
  buffer.connect("insert-text") { arguments in
    expect(arguments.pointer(0) != nil, "a boxed argument")
    expect(arguments.object(0) == nil, "a boxed argument is no object")
    texts += [arguments.string(1), arguments.string(0), arguments.string(-1)]
  }
  gtk_text_buffer_set_text(buffer.ptr(), "é, 漢 and 🗝", -1)
  expect(texts == ["é, 漢 and 🗝", nil, nil], "text: \(texts)")

  let widget = Label("")
  var previous: [Int] = []
  widget.connect("direction-changed") { previous.append($0.int(0)) }
  widget.isRightToLeft = true
  expect(previous == [Int(GTK_TEXT_DIR_LTR.rawValue)], "an enumeration: \(previous)")

  let group = ActionGroup([])
  var added: [String?] = []
  group.connect("action-added") { added.append($0.string(0)) }
  group.add([Action("one") {}])
  expect(added == ["one"], "the name of an action: \(added)")
}

/// A handler's result reaches the emitter of the signal.
func checkAnswers() {
  let widget = Label("")
  var asked = 0
  widget.connectReturningBool("mnemonic-activate") { _ in
    asked += 1
    return true
  }
  gtk_widget_set_can_focus(widget.ptr(), 1)
  expect(gtk_widget_mnemonic_activate(widget.ptr(), 1) != 0, "a handler can return true")
  expect(asked == 1, "the handler runs once")
}
