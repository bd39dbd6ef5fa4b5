import CGtk

/// Something that the person did, as GDK tells of it.
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

  /// Lets it happen once more on the display of `widget`.
  public func happenAgain(on widget: Widget) {
    gdk_display_put_event(gtk_widget_get_display(widget.widget), event)
  }
}
