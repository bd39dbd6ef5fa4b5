import CSecret
import Dispatch
import Synchronization

/// The time limit of a piece of work, which is extended while the service waits for the user.
///
/// When the limit passes, the libsecret call in progress ends.
final class CallTimeout {
  let cancellable: Cancellable
  private let limit: DispatchTimeInterval
  private let timer = DispatchSource.makeTimerSource()

  /// How long the user may take to answer.
  private static let userLimit = DispatchTimeInterval.seconds(120)

  /// Starts the time limit.
  init(_ limit: DispatchTimeInterval, _ cancellable: Cancellable) {
    self.cancellable = cancellable
    self.limit = limit
    timer.schedule(deadline: .now() + limit)
    timer.setEventHandler { cancellable.cancel() }
    timer.resume()
  }

  deinit {
    timer.cancel()
  }

  /// Runs `work`, which asks the user.
  func waitingForUser<Value>(_ work: () -> Value) -> Value {
    timer.schedule(deadline: .now() + Self.userLimit)
    defer { timer.schedule(deadline: .now() + limit) }
    return work()
  }
}

/// Whether the user may be asked: until they decline.
///
/// A question that was not waited for does not count as declined.
final class Question: Sendable {
  private let isDeclined = Atomic(false)

  var mayBeAsked: Bool { !isDeclined.load(ordering: .relaxed) }

  /// Records that the user declined or did not answer.
  func decline() { isDeclined.store(true, ordering: .relaxed) }

  /// Allows asking again.
  func allow() { isDeclined.store(false, ordering: .relaxed) }
}

/// A `GCancellable`: ends a call that another thread waits for.
final class Cancellable: @unchecked Sendable {
  // GCancellable may be used from any thread; the pointer never changes.
  let pointer = g_cancellable_new()
  private let isGivenUp = Atomic(false)

  deinit {
    g_object_unref(pointer)
  }

  /// Whether nobody waits for the call any longer.
  var wasGivenUp: Bool { isGivenUp.load(ordering: .acquiring) }

  /// Makes the call that uses this end with "cancelled".
  func cancel() {
    g_cancellable_cancel(pointer)
  }

  /// Cancels because the caller no longer waits.
  func giveUp() {
    isGivenUp.store(true, ordering: .releasing)
    cancel()
  }
}
