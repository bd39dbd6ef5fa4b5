public import Gio
import CGtk

/// A named action, for buttons, menus, shortcuts and the session bus.
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
