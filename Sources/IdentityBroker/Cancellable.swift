import CGio
import Dispatch

/// A `GCancellable`: ends a call that another thread waits for.
final class Cancellable: @unchecked Sendable {
  // GCancellable may be used from any thread; the pointer never changes.
  let pointer = g_cancellable_new()

  deinit {
    g_object_unref(pointer)
  }

  /// Makes the call that uses this end with "cancelled".
  func cancel() {
    g_cancellable_cancel(pointer)
  }
}
