import CGtk

/// A named action of a window or an application, for menus, shortcuts and the session bus.
@MainActor
public final class Action {
  /// The `GSimpleAction`.
  public let object: Object

  /// An action without parameter and state.
  public init(_ name: String, _ handler: @escaping @MainActor () -> Void) {
    object = Object(owning: g_simple_action_new(name, nil))
    object.connect("activate") { handler() }
  }

  /// An action that is on or off; menus show it with a check mark.
  public init(toggle name: String, isOn: Bool, _ handler: @escaping @MainActor (Bool) -> Void) {
    object = Object(
      owning: g_simple_action_new_stateful(name, nil, g_variant_new_boolean(isOn ? 1 : 0)))
    // The handler belongs to the action, so the pointer outlives it.
    let action = object.opaque
    object.connect("change-state") { arguments in
      guard let value = arguments.pointer(0).map({ OpaquePointer($0) }) else { return }
      g_simple_action_set_state(action, value)
      handler(g_variant_get_boolean(value) != 0)
    }
  }

  /// Whether the action can be activated; what shows it is insensitive otherwise.
  public var isEnabled: Bool {
    get { g_action_get_enabled(object.opaque) != 0 }
    set { g_simple_action_set_enabled(object.opaque, newValue ? 1 : 0) }
  }

  /// The state of a toggle; setting it does not run the handler.
  public var isOn: Bool {
    get {
      guard let state = g_action_get_state(object.opaque) else { return false }
      defer { g_variant_unref(state) }
      return g_variant_get_boolean(state) != 0
    }
    set { g_simple_action_set_state(object.opaque, g_variant_new_boolean(newValue ? 1 : 0)) }
  }
}

extension Object {
  /// Adds actions to this window or application.
  public func add(_ actions: [Action]) {
    for action in actions { g_action_map_add_action(opaque, action.object.opaque) }
  }

  /// Gives this application the keys of an action, such as `["<Control>q"]` of `app.quit`.
  public func setAccelerators(_ keys: [String], for action: String) {
    CStringArray(keys).withPointer { gtk_application_set_accels_for_action(ptr(), action, $0) }
  }
}
