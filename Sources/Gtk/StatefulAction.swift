public import Gio
import CGtk

/// An action with a state; menus show a Boolean state as a check mark.
@MainActor
public final class StatefulAction<State: VariantValue>: Action {
  /// Creates the action.
  ///
  /// - Parameter handler: called with each state that the user chooses.
  public init(_ name: String, state: State, _ handler: @escaping @MainActor (State) -> Void) {
    super.init(owning: g_simple_action_new_stateful(name, nil, state.makeVariant()))
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
