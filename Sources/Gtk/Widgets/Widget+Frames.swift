import CGtk

extension Widget {
  /// Calls `body` once, after the next frame is on the screen, so that it does not delay that
  /// frame.
  public func afterNextFrame(_ body: @escaping @MainActor () -> Void) {
    guard let clock = gtk_widget_get_frame_clock(widget) else { return }
    var handler: SignalHandler?
    // The handler belongs to the clock, so the pointer outlives it.
    handler = Object(borrowing: clock).connect("after-paint") {
      guard let connected = handler else { return }
      handler = nil
      Object(borrowing: clock).disconnect(connected)
      body()
    }
  }
}
