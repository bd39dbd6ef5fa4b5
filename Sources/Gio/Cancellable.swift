public import CGio
import CurlHTTP
public import Dispatch
import Synchronization

/// A `GCancellable`: ends a call that another thread waits for.
public final class Cancellable: @unchecked Sendable {
  // GCancellable may be used from any thread; the pointer never changes.
  /// The object for a C function.
  public let pointer: UnsafeMutablePointer<GCancellable>? = g_cancellable_new()
  private let isGivenUp = Atomic(false)

  /// Creates an object that nothing has canceled yet.
  public init() {}

  deinit {
    g_object_unref(pointer)
  }

  /// Whether nobody waits for the call any longer.
  public var wasGivenUp: Bool { isGivenUp.load(ordering: .acquiring) }

  /// Makes the call that uses this end with `G_IO_ERROR_CANCELLED`.
  public func cancel() {
    g_cancellable_cancel(pointer)
  }

  /// Cancels because the caller no longer waits.
  public func giveUp() {
    isGivenUp.store(true, ordering: .releasing)
    cancel()
  }

  /// Runs `work`, which blocks, on `queue`; it is given up when the task is canceled.
  public static func run<Value: Sendable, Failure: Error>(
    on queue: DispatchQueue,
    _ work: @escaping @Sendable (Cancellable) throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let cancellable = Cancellable()
    let result: Result<Value, Failure> = await withTaskCancellationHandler {
      do throws(Failure) {
        return .success(try await queue.run { () throws(Failure) in try work(cancellable) })
      } catch {
        return .failure(error)
      }
    } onCancel: {
      cancellable.giveUp()
    }
    return try result.get()
  }
}
