import Gtk

/// A request in a list: its title in up to two lines, and smaller, its details.
@MainActor
struct RequestLabels {
  let column: Box
  let title = Label("")
  let details = Label("")

  init() {
    column = Box(column: [title, details], spacing: 3)
    for label in [title, details] { label.alignToStart() }
    title.wrap(upTo: 2)
    details.ellipsize()
    details.set(styleClass: "caption", to: true)
  }
}
