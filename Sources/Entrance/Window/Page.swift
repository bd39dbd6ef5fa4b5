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
}
