import Gtk

/// A window that is shown over another: a dialog, or a list.
@MainActor
protocol Presentable: AnyObject {
  /// Its window.
  var window: Window { get }
  /// Gives the focus to its first widget, after it is on the screen.
  func begin()
  /// Forgets what it must not keep, after it was closed: done, canceled, or with its parent.
  func end()
}

extension Presentable {
  func begin() {}
  func end() {}

  /// Closes it.
  func close() { window.close() }
}

/// Shows windows over another, and keeps them while they are open.
@MainActor
final class Presenter {
  private var shown: [any Presentable] = []

  /// Shows `dialog` over `parent` until it is closed; not if one of its kind is open.
  func present(
    _ dialog: any Presentable, over parent: Window?,
    whenClosed: @escaping @MainActor () -> Void = {}
  ) {
    guard let parent, !shown.contains(where: { type(of: $0) == type(of: dialog) }) else { return }
    shown.append(dialog)
    dialog.window.setTransient(for: parent)
    dialog.window.onClosed { [weak self, weak dialog] in
      guard let self, let dialog else { return }
      shown.removeAll { $0 === dialog }
      dialog.end()
      whenClosed()
    }
    dialog.window.present()
    dialog.begin()
  }

  /// Closes everything.
  func closeAll() {
    for dialog in shown { dialog.close() }
  }
}
