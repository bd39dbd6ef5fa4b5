import Gtk
import Localization

extension Toast {
  /// Creates a toast that says what was done, with *Undo*.
  convenience init(_ title: String, undo: @escaping @MainActor () -> Void) {
    self.init(title)
    setButton(label: tr("Undo"), undo)
  }
}
