import CGtk

/// Something that is on or off.
@MainActor
public final class Switch: Widget {
  override class var type: GType { gtk_switch_get_type() }

  /// Whether it is on.
  public var isOn: Bool {
    get { gtk_switch_get_active(opaque) != 0 }
    set { gtk_switch_set_active(opaque, newValue ? 1 : 0) }
  }

  /// Runs `handler` when it is switched.
  public func onChange(_ handler: @escaping @MainActor () -> Void) {
    connect("notify::active", handler)
  }
}
