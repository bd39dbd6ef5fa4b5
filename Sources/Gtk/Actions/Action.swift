import CGtk
public import Gio

/// A named action, for buttons, menus and shortcuts.
@MainActor
public class Action {
  /// The `GSimpleAction`.
  let object: Object

  /// Takes ownership of a `GSimpleAction`.
  init(owning action: OpaquePointer) {
    object = Object(owning: action)
  }

  /// Creates an action without parameter and state.
  public convenience init(_ name: String, _ handler: @escaping @MainActor () -> Void) {
    self.init(owning: g_simple_action_new(name, nil))
    object.connect("activate", handler)
  }

  /// Creates an action with a parameter.
  public convenience init<Parameter: VariantValue>(
    _ name: String, parameter: Parameter.Type, _ handler: @escaping @MainActor (Parameter) -> Void
  ) {
    let type = g_variant_type_new(Parameter.variantType)
    defer { g_variant_type_free(type) }
    self.init(owning: g_simple_action_new(name, type))
    object.connect("activate") { arguments in
      if let value = arguments.variant(0, as: Parameter.self) { handler(value) }
    }
  }

  /// Activates it, if it is enabled.
  public func activate() { g_action_activate(object.opaque, nil) }

  /// Whether the action can be activated; otherwise its widgets are insensitive.
  public var isEnabled: Bool {
    get { g_action_get_enabled(object.opaque) != 0 }
    set { g_simple_action_set_enabled(object.opaque, newValue ? 1 : 0) }
  }
}

/// An action with a state; menus show a Boolean state as a check mark.
@MainActor
public final class StatefulAction<State: VariantValue>: Action {
  /// Creates the action.
  ///
  /// - Parameters:
  ///   - name: its name.
  ///   - state: the state at first.
  ///   - isChoice: whether its parameter is the next state: menus show such items as choices, of which
  ///     one is marked.
  ///   - handler: called with each state that the user chooses.
  public init(
    _ name: String, state: State, isChoice: Bool = false,
    _ handler: @escaping @MainActor (State) -> Void
  ) {
    let type = isChoice ? g_variant_type_new(State.variantType) : nil
    defer { if let type { g_variant_type_free(type) } }
    super.init(owning: g_simple_action_new_stateful(name, type, state.makeVariant()))
    // The handler belongs to the action, so the pointer outlives it.
    let action = object.opaque
    object.connect("change-state") { arguments in
      guard let value = arguments.variant(0, as: State.self) else { return }
      g_simple_action_set_state(action, value.makeVariant())
      handler(value)
    }
  }

  /// The state; setting it does not call the handler.
  public var state: State {
    get {
      let variant: OpaquePointer = g_action_get_state(object.opaque)
      defer { g_variant_unref(variant) }
      return State(readingVariant: variant)
    }
    set { g_simple_action_set_state(object.opaque, newValue.makeVariant()) }
  }
}

/// The actions of one page or window: ``Widget/insert(_:as:)`` gives them their prefix.
@MainActor
public final class ActionGroup: Object, ActionMap {
  /// Creates a group of `actions`.
  public convenience init(_ actions: [Action]) {
    self.init(owning: g_simple_action_group_new())
    add(actions)
  }
}

/// An object that actions can be added to: the application (`app.`), and groups.
///
/// All programs on the session bus can activate the application's actions, but not those of groups.
@MainActor
public protocol ActionMap: Object {}

extension ActionMap {
  /// Adds actions.
  public func add(_ actions: [Action]) {
    for action in actions { g_action_map_add_action(opaque, action.object.opaque) }
  }
}
