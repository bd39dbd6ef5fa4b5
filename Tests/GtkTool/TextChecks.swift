import Gio
import CGtk
import Gtk

/// Text from outside is shown as far as possible, whatever it contains.
func checkTexts() {
  let label = Label("before\0after")
  expect(label.text == "before", "a text ends at its first NUL: \(label.text)")
  label.text = "\0"
  expect(label.text.isEmpty, "a text that begins with NUL is empty")

  let view = TextView(owning: gtk_text_view_new())
  let buffer = view.buffer
  let tag = buffer.addTag()
  expect(buffer.isEmpty, "a new buffer is empty")
  buffer.append("é\0x", tag: tag)
  buffer.append(", 漢\n", tag: tag)
  expect(buffer.text == "é, 漢\n", "text after a NUL can be appended: \(buffer.text)")
  buffer.clear()
  expect(buffer.isEmpty, "a buffer can be cleared")

  // What is written at the start, the end and between has no hyphens where its lines end.
  let written = TextView(owning: gtk_text_view_new())
  written.writeWithoutHyphens()
  for place in [0, 3, 0, 2] {
    var start = GtkTextIter()
    gtk_text_buffer_get_iter_at_offset(written.buffer.ptr(), &start, Int32(place))
    gtk_text_buffer_insert(written.buffer.ptr(), &start, "eyJ", -1)
  }
  let places = (0..<12).filter { place in
    var start = GtkTextIter()
    gtk_text_buffer_get_iter_at_offset(written.buffer.ptr(), &start, Int32(place))
    let tags = gtk_text_iter_get_tags(&start)
    defer { g_slist_free(tags) }
    return tags == nil
  }
  expect(places.isEmpty, "all that is written has the tag, but not \(places)")

  // C strings need not be UTF-8.
  let broken: [CChar] = [0x61, -1, 0x62, 0]
  let error = GLibError(taking: g_error_new_literal(g_quark_from_string("probe"), 7, broken))
  expect(error.message == "a\u{FFFD}b", "invalid UTF-8 is replaced: \(error.message)")
  expect(error.code == 7 && error.domain == "probe", "code and domain are unchanged")

  let page = StatusPage(owning: adw_status_page_new())
  page.show(icon: "no-such-icon", title: "Title", description: "<b>&\0")
  let markup = adw_status_page_get_description(page.opaque).map { String(cString: $0) }
  expect(
    markup == "&lt;b&gt;&amp;",
    "a description is not interpreted as markup: \(String(describing: markup))")
}
