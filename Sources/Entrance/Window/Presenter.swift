import Gtk
import Localization

/// A window that is shown over another: a dialog, or a list.
@MainActor
protocol Presentable: AnyObject {
  /// Its window.
  var window: Window { get }
  /// Whether closing it would lose a form that was filled in. A single text is typed again quickly.
  var hasChanges: Bool { get }
  /// Gives the focus to its first widget, after it is on the screen.
  func begin()
  /// Forgets what it must not keep, after it was closed: done, canceled, or with its parent.
  func end()
}

extension Presentable {
  var hasChanges: Bool { false }
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
    let focused = parent.focusedWidget
    dialog.window.setTransient(for: parent)
    dialog.window.onCloseRequest { [weak self, weak dialog] in
      guard let self, let dialog, dialog.hasChanges else { return false }
      askToDiscard(dialog)
      return true
    }
    dialog.window.onClosed { [weak self, weak dialog] in
      guard let self, let dialog else { return }
      shown.removeAll { $0 === dialog }
      dialog.end()
      whenClosed()
      // What the dialog did may have changed the widgets of its parent.
      MainLoop.whenIdle { [weak parent] in
        guard let parent, let focused, parent.focusedWidget?.isMapped != true else { return }
        if focused.isMapped, focused.isSensitive { parent.focusedWidget = focused }
      }
    }
    dialog.window.present()
    dialog.begin()
  }

  /// Asks before what was typed is lost.
  private func askToDiscard(_ dialog: any Presentable) {
    Self.askToDiscard(over: dialog.window) { [weak dialog] in dialog?.window.destroy() }
  }

  /// Asks before what was typed in `window` is lost.
  static func askToDiscard(over window: Window, _ discard: @escaping @MainActor () -> Void) {
    let question = MessageDialog(
      title: tr("Discard Changes?"), text: tr("What was changed is not saved yet."))
    question.addAnswer("keep", tr("_Keep Editing"))
    question.addAnswer("discard", tr("_Discard"), .destructive)
    question.setAnswers(forEnter: "keep", forEscape: "keep")
    question.ask(over: window, for: "discard", discard)
  }

  /// Closes everything.
  func closeAll() {
    for dialog in shown {
      // A question gives its answer for Escape when it is closed.
      if dialog.hasChanges { dialog.window.destroy() } else { dialog.close() }
    }
  }
}
