import CGtk
import Dispatch

// Needed for linking: the library has the two functions.

/// Runs Swift concurrency inside GLib's main loop.
///
/// `@MainActor` code runs on libdispatch's main queue. That queue signals its work with an eventfd,
/// so GLib can wait for it like for any other source, without polling or a second thread. Two rules
/// follow. The program's entry point must not be `async`, because that would block the main thread
/// in libdispatch. Nothing on the main actor may iterate a GLib main context, because the queue is
/// not drained re-entrantly.
public enum MainLoop {
  /// Attaches the main queue to GLib's default main context.
  ///
  /// Call it once, on the main thread.
  public static func attachMainQueue() {
    let drain: @convention(c) (Int32, GIOCondition, gpointer?) -> gboolean = { descriptor, _, _ in
      var count: eventfd_t = 0
      eventfd_read(descriptor, &count)
      _dispatch_main_queue_callback_4CF(nil)
      return 1
    }
    _ = g_unix_fd_add_full(
      G_PRIORITY_DEFAULT, _dispatch_get_main_queue_handle_4CF(), G_IO_IN, drain, nil, nil)
  }

  /// Calls `body` when a signal asks the program to end: `SIGTERM`, `SIGINT` or `SIGHUP`.
  ///
  /// The same signal a second time ends it at once. Programs that it starts do not inherit this.
  public static func onEndSignal(_ body: @escaping @MainActor () -> Void) {
    for number in [SIGTERM, SIGINT, SIGHUP] {
      g_unix_signal_add_full(
        G_PRIORITY_DEFAULT, number, runIdle, Unmanaged.passRetained(IdleBox(body)).toOpaque()
      ) { data in
        if let data { Unmanaged<IdleBox>.fromOpaque(data).release() }
      }
    }
  }

  /// Calls `body` once, after GTK has finished layout and drawing.
  public static func whenIdle(_ body: @escaping @MainActor () -> Void) {
    g_idle_add_full(
      G_PRIORITY_DEFAULT_IDLE, runIdle, Unmanaged.passRetained(IdleBox(body)).toOpaque()
    ) { data in
      if let data { Unmanaged<IdleBox>.fromOpaque(data).release() }
    }
  }
}

/// Retains a closure for a source that is called once.
private final class IdleBox {
  let run: @MainActor () -> Void

  init(_ run: @escaping @MainActor () -> Void) {
    self.run = run
  }
}

private nonisolated let runIdle: GSourceFunc = { data in
  nonisolated(unsafe) let data = data
  MainActor.assumeIsolated {
    guard let data else { return }
    Unmanaged<IdleBox>.fromOpaque(data).takeUnretainedValue().run()
  }
  return 0
}
