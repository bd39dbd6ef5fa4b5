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
final class DialogPresenter {
  private var shown: [any Presentable] = []
  /// The question that is open.
  private var question: MessageDialog?
  /// What waits until nothing is shown.
  private var waiting: (@MainActor () -> Void)?

  /// Called when a window that is shown comes to the foreground.
  var onForeground: @MainActor () -> Void = {}

  /// Called with a window that no widget has the keyboard focus of, after a dialog over it was closed:
  /// the one that had it before cannot take it.
  var onLostFocus: @MainActor (Window) -> Void = { _ in }

  /// Whether closing what is shown would lose something.
  var hasChanges: Bool { shown.contains { $0.hasChanges } }

  /// Calls `action` when nothing is shown: now, or after the last window is closed, in place of what
  /// waits for that already.
  func whenFree(_ action: @escaping @MainActor () -> Void) {
    guard !shown.isEmpty else { return action() }
    waiting = action
  }

  private func goOn() {
    guard shown.isEmpty else { return }
    waiting.take()?()
  }

  /// Shows `dialog` over `parent` until it is closed; one of its kind that is open comes to the
  /// foreground instead.
  func present(
    _ dialog: any Presentable, over parent: Window?,
    whenClosed: @escaping @MainActor () -> Void = {}
  ) {
    guard let parent else { return }
    if let open = shown.first(where: { type(of: $0) == type(of: dialog) }) {
      dialog.end()
      dialog.window.destroy()
      return open.window.present()
    }
    shown.append(dialog)
    let focused = parent.focusedWidget
    dialog.window.setTransient(for: parent)
    dialog.window.onCloseRequest { [weak self, weak dialog, weak parent] in
      guard let self, let dialog, dialog.hasChanges else { return false }
      askToDiscard(over: dialog.window) { [weak dialog] in
        dialog?.window.destroy()
        // A window manager gives the focus to the dialog when the question is gone. When the dialog is
        // gone before it gets the focus, no window has it.
        parent?.present()
      }
      return true
    }
    dialog.window.onClosed { [weak self, weak dialog] in
      guard let self, let dialog else { return }
      shown.removeAll { $0 === dialog }
      dialog.end()
      whenClosed()
      // What the dialog did may have changed the widgets of its parent.
      MainLoop.whenIdle { [weak self, weak parent] in
        if let parent, let focused, parent.focusedWidget?.isMapped != true {
          if focused.isMapped, focused.isSensitive {
            parent.focusedWidget = focused
          } else {
            self?.onLostFocus(parent)
          }
        }
        self?.goOn()
      }
    }
    dialog.window.onForeground { [weak self] in self?.onForeground() }
    dialog.window.present()
    dialog.begin()
  }

  /// Asks before what was typed in `window`, or in what is shown over it, is lost; once, until there
  /// is an answer.
  ///
  /// - Parameters:
  ///   - changes: what is lost.
  ///   - proceed: what loses it; also runs after it is saved.
  func askToDiscard(
    _ changes: UnsavedChanges = .form, over window: Window,
    _ proceed: @escaping @MainActor () -> Void
  ) {
    if let question { return question.present() }
    let question = MessageDialog(title: changes.title, text: changes.text)
    question.addAnswer("cancel", tr("_Cancel"))
    question.addAnswer("discard", changes.answer, .destructive)
    if let save = changes.save {
      question.addAnswer("save", tr("_Save"), .suggested)
      // Once the question is gone: saving can ask another one.
      question.onAnswer { given in
        if given == "save" { MainLoop.whenIdle { save(proceed) } }
      }
    }
    question.setAnswers(forEnter: changes.save == nil ? "cancel" : "save", forEscape: "cancel")
    question.onClosed { [weak self] in self?.question = nil }
    self.question = question
    question.ask(over: shown.last { $0.hasChanges }?.window ?? window, for: "discard", proceed)
  }

  /// Closes everything.
  func closeAll() {
    for dialog in shown {
      // A question gives its answer for Escape when it is closed.
      if dialog.hasChanges { dialog.window.destroy() } else { dialog.close() }
    }
  }
}
