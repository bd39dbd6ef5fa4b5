import CGtk

extension Widget {
  /// Runs `body` once the next frame is on the screen, and so not at its cost.
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
