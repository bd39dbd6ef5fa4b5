import CGtk

/// Sees the keys that are pressed in a window before its widgets do.
@MainActor
public final class KeyController: Object {
  /// The keys that move the focus: Tab, alone and with Shift.
  public static let tab: Set<Int> = [Int(GDK_KEY_Tab), Int(GDK_KEY_ISO_Left_Tab)]

  /// Sees the keys of `window` from now on.
  public convenience init(window: Window) {
    self.init(owning: gtk_event_controller_key_new())
    gtk_event_controller_set_propagation_phase(opaque, GTK_PHASE_CAPTURE)
    // The widget takes the caller's reference over.
    g_object_ref(raw)
    gtk_widget_add_controller(window.widget, opaque)
  }

  /// Runs `handler` with each key that is pressed.
  ///
  /// - Parameter handler: says whether that was all: no widget sees the key then.
  public func onPress(_ handler: @escaping @MainActor (Int) -> Bool) {
    connectReturningBool("key-pressed") { handler($0.int(0)) }
  }

  /// When the key was pressed that is being handled.
  public var time: UInt32 { gtk_event_controller_get_current_event_time(opaque) }

  /// The press that is being handled.
  public var event: Event? {
    gtk_event_controller_get_current_event(opaque).map { Event(borrowing: $0) }
  }
}
