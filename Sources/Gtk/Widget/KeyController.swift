import CGtk

/// Receives the key presses in a widget, or a window, before the widgets in it do.
@MainActor
public final class KeyController: Object {
  /// The keys that move the focus: Tab, alone and with Shift.
  public static let tab: Set<Int> = [Int(GDK_KEY_Tab), Int(GDK_KEY_ISO_Left_Tab)]
  /// The key that moves the focus on: Tab without Shift.
  public static let forwardTab: Set<Int> = [Int(GDK_KEY_Tab)]

  /// The Enter keys.
  public static let enter: Set<Int> = [Int(GDK_KEY_Return), Int(GDK_KEY_KP_Enter)]

  /// The keys for the previous one.
  public static let up: Set<Int> = [Int(GDK_KEY_Up), Int(GDK_KEY_KP_Up)]
  /// The keys for the next one.
  public static let down: Set<Int> = [Int(GDK_KEY_Down), Int(GDK_KEY_KP_Down)]

  /// The keys for the page before.
  public static let pageUp: Set<Int> = [Int(GDK_KEY_Page_Up), Int(GDK_KEY_KP_Page_Up)]
  /// The keys for the page after.
  public static let pageDown: Set<Int> = [Int(GDK_KEY_Page_Down), Int(GDK_KEY_KP_Page_Down)]

  /// The key for the end of what covers something.
  public static let escape: Set<Int> = [Int(GDK_KEY_Escape)]

  /// Adds a controller to `widget`.
  public convenience init(on widget: Widget) {
    self.init(owning: gtk_event_controller_key_new())
    gtk_event_controller_set_propagation_phase(opaque, GTK_PHASE_CAPTURE)
    widget.add(controller: self)
  }

  /// Calls `handler` with each key that is pressed.
  ///
  /// - Parameter handler: returns whether it handled the key; widgets do not get it then.
  public func onPress(_ handler: @escaping @MainActor (Int) -> Bool) {
    connectReturningBool("key-pressed") { handler($0.int(0)) }
  }

  /// The time of the key press that is being handled.
  public var time: UInt32 { gtk_event_controller_get_current_event_time(opaque) }

  /// The event that is being handled.
  public var event: Event? {
    gtk_event_controller_get_current_event(opaque).map { Event(borrowing: $0) }
  }
}

/// An input event of GDK.
@MainActor
public final class Event {
  private let event: OpaquePointer

  /// Adds a reference.
  init(borrowing event: OpaquePointer) {
    self.event = gdk_event_ref(event)
  }

  isolated deinit {
    gdk_event_unref(event)
  }

  /// Puts the event into the queue of `widget`'s display again.
  public func happenAgain(on widget: Widget) {
    gdk_display_put_event(gtk_widget_get_display(widget.widget), event)
  }
}
