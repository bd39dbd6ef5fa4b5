public import CGio
public import Gio

/// Awaits one of GIO's pairs of `…_async` and `…_finish` functions.
///
/// - Parameters:
///   - start: calls the `…_async` function with the given cancellable, callback and data.
///     Canceling the task cancels the cancellable.
///   - finish: calls the `…_finish` function with the result and the error pointer.
/// - Throws: the error of the `…_finish` function.
@MainActor
public func awaitOperation<Result>(
  start: (UnsafeMutablePointer<GCancellable>, @escaping GAsyncReadyCallback, gpointer) -> Void,
  finish: (OpaquePointer, inout UnsafeMutablePointer<GError>?) -> Result
) async throws(GLibError) -> Result {
  let cancellable = Object(owning: g_cancellable_new())
  let result = await withTaskCancellationHandler {
    await withCheckedContinuation { continuation in
      let box = Unmanaged.passRetained(ContinuationBox(continuation))
      start(cancellable.ptr(), ready, box.toOpaque())
    }
  } onCancel: {
    // `cancelled` is a signal, and its handlers expect the main thread.
    Task { @MainActor in g_cancellable_cancel(cancellable.ptr()) }
  }
  return try GLibError.check { finish(result.opaque, &$0) }
}

/// Retains a continuation during a GIO operation.
private final class ContinuationBox {
  let continuation: CheckedContinuation<Object, Never>

  init(_ continuation: CheckedContinuation<Object, Never>) {
    self.continuation = continuation
  }
}

private nonisolated let ready: GAsyncReadyCallback = { _, result, data in
  nonisolated(unsafe) let result = result
  nonisolated(unsafe) let data = data
  MainActor.assumeIsolated {
    guard let result, let data else { return }
    let box = Unmanaged<ContinuationBox>.fromOpaque(data).takeRetainedValue()
    box.continuation.resume(returning: Object(borrowing: result))
  }
}
