import CGtk
import Gtk

/// The cursor stays in sight when a long text is pasted, and when something takes room from it.
///
/// What closes by its key takes the focus that was in it.
func checkWriting() async {
  let window = Window(borrowing: gtk_window_new())
  let scroller = ScrolledWindow(owning: gtk_scrolled_window_new())
  let view = TextView(owning: gtk_text_view_new())
  let remark = Label("This\nis\nnot\nJSON.")
  let field = TextView(owning: gtk_text_view_new())
  let expander = Expander(mnemonic: "_More", child: field)
  gtk_scrolled_window_set_child(scroller.opaque, view.ptr())
  gtk_widget_set_vexpand(scroller.ptr(), 1)
  remark.isVisible = false
  let box = Box(column: [scroller, remark, expander], spacing: 0)
  gtk_window_set_child(window.ptr(), box.ptr())
  gtk_window_set_default_size(window.ptr(), 300, 400)
  view.keepCursorInSight()
  window.present()
  await expectSoon("it is on the screen") { view.isMapped }
  view.grabFocus()

  let place = scroller.verticalAdjustment
  func isEndInSight() -> Bool { place.end > 0 && place.value > place.end - 20 }
  view.buffer.set(Array(repeating: "line", count: 500).joined(separator: "\n"))
  await expectSoon("the end of the text is in sight", isEndInSight)
  let size = place.pageSize
  remark.isVisible = true
  await expectSoon("there is less room") { place.pageSize < size - 30 }
  await expectSoon("the end of the text is still in sight", isEndInSight)

  expander.isExpanded = true
  await expectSoon("the field is on the screen") { field.isMapped }
  field.grabFocus()
  gtk_widget_mnemonic_activate(expander.ptr(), 0)
  expect(!expander.isExpanded, "the key closes it")
  await expectSoon("it has the focus") { expander.hasFocus }
  window.close()
}
