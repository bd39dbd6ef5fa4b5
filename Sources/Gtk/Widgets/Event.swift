import CGtk

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
