import CGtk
// For the linker: the two functions are in this library.
import Dispatch

/// Lets Swift concurrency run inside GLib's main loop.
///
/// `@MainActor` code runs on libdispatch's main queue. That queue announces its work by an eventfd, so
/// GLib can wait for it like for any other source: no polling, no second thread. Two rules follow.
/// The program's entry point must not be `async` (that would park the main thread in libdispatch), and
/// nothing on the main actor may iterate a GLib main context (the queue is not drained re-entrantly).
public enum MainLoop {
  /// Attaches the main queue to GLib's default main context.
  ///
  /// To be called once, on the main thread.
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
}
