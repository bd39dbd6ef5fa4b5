import CGtk

extension Widget {
  /// Runs `body` once the next frame is on the screen, and so not at its cost.
  public func afterNextFrame(_ body: @escaping @MainActor () -> Void) {
    // The handler belongs to the clock, so the pointer outlives it.
    guard let clock = gtk_widget_get_frame_clock(widget).map({ UnsafeMutableRawPointer($0) }) else {
      return
    }
    var handler: SignalHandler?
    handler = Object(borrowing: clock).connect("after-paint") {
      guard let connected = handler else { return }
      handler = nil
      g_signal_handler_disconnect(clock, connected.id)
      body()
    }
  }
}
