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
  /// Whether closing the window would lose something that was typed to be saved.
  var hasChanges: Bool { get }
  /// Does what it is for, when Ctrl+Enter is pressed.
  ///
  /// - Returns: whether it is for something.
  func perform() -> Bool
}

extension Page {
  var hasChanges: Bool { false }
  func perform() -> Bool { false }
}
