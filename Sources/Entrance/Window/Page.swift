import EntranceKit
import Gtk

/// A page of the main window.
///
/// It shows the state of a model, makes no decisions, and knows no other page.
@MainActor
protocol Page: AnyObject {
  /// The page.
  var widget: Widget { get }
  /// The actions of its buttons and shortcuts; its name is their prefix.
  var actions: ActionGroup { get }
  /// Shows `window` from now on; nothing if nil.
  func bind(to window: WindowModel?)
  /// Takes the keyboard focus.
  func focus()
  /// What was typed to be saved, and would be lost with the window; nil for nothing.
  var unsaved: UnsavedChanges? { get }
  /// Follows a shortcut of the window.
  ///
  /// - Returns: whether the shortcut means something on this page.
  func perform(_ command: PageCommand) -> Bool
}

extension Page {
  var unsaved: UnsavedChanges? { nil }
  func perform(_ command: PageCommand) -> Bool { false }

  /// Takes the keyboard focus from all widgets until the page knows which of its own can have it,
  /// and calls ``takeLostFocus()``.
  func awaitFocus() { widget.window?.focusedWidget = nil }

  /// Takes the keyboard focus after a change of the page has removed the widget that had it.
  func takeLostFocus() {
    // Not before the page has changed.
    MainLoop.whenIdle { [weak self] in
      guard let self, widget.isMapped else { return }
      if widget.window?.focusedWidget?.isMapped != true { focus() }
    }
  }
}

/// A shortcut of the window that each page follows in its own way.
enum PageCommand: String, CaseIterable {
  /// Ctrl+Enter: does what the page is for.
  case perform
  /// Ctrl+L: moves the keyboard focus to where work on the page begins.
  case goTo = "go-to"
  /// Shift+Ctrl+C: copies what the page shows.
  case copy

  /// What it means on pages without a meaning of their own for it.
  var fallback: AccountAction {
    switch self {
    case .perform: .callGraph
    case .goTo: .focusLog
    case .copy: .copyLog
    }
  }
}
