import CGtk

/// The actions of one page or window: ``Widget/insert(_:as:)`` gives them their prefix.
@MainActor
public final class ActionGroup: Object, ActionMap {
  /// Creates a group of `actions`.
  public convenience init(_ actions: [Action]) {
    self.init(owning: g_simple_action_group_new())
    add(actions)
  }
}

/// An object that actions can be added to: the application, its windows (`app.` and `win.`), and
/// groups.
@MainActor
public protocol ActionMap: Object {}

extension ActionMap {
  /// Adds actions.
  public func add(_ actions: [Action]) {
    for action in actions { g_action_map_add_action(opaque, action.object.opaque) }
  }
}
