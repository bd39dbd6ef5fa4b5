import Gtk

/// The two lines of a request in a list: its title, and smaller, its details.
@MainActor
struct RequestLabels {
  let column: Box
  let title = Label("")
  let details = Label("")

  init() {
    column = Box(column: [title, details], spacing: 3)
    for label in [title, details] {
      label.alignToStart()
      label.ellipsize()
    }
    details.set(styleClass: "caption", to: true)
  }
}
