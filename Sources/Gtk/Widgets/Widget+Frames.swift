import CGtk

extension Widget {
  /// Runs `body` once the next frame is on the screen, and so not at its cost.
  public func afterNextFrame(_ body: @escaping @MainActor () -> Void) {
    guard let clock = gtk_widget_get_frame_clock(widget) else { return }
    let frameClock = Object(borrowing: clock)
    var handler: SignalHandler?
    handler = frameClock.connect("after-paint") {
      guard let connected = handler else { return }
      handler = nil
      frameClock.disconnect(connected)
      body()
    }
  }
}
