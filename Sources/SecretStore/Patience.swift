import CSecret
import Dispatch
import Synchronization

/// How long a piece of work waits for the service; longer while the service waits for a person.
///
/// When the time is over, the call of libsecret that is under way ends.
final class Patience {
  let cancellable: Cancellable
  private let limit: DispatchTimeInterval
  private let timer = DispatchSource.makeTimerSource()

  /// How long a person may take to answer.
  private static let personsLimit = DispatchTimeInterval.seconds(120)

  /// The time counts from here.
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

  /// Does `work`, in which a person is asked.
  func waitingForPerson<Value>(_ work: () -> Value) -> Value {
    timer.schedule(deadline: .now() + Self.personsLimit)
    defer { timer.schedule(deadline: .now() + limit) }
    return work()
  }
}

/// Whether a person may be asked: until they decline.
///
/// Who was not waited for was not asked.
final class Question: Sendable {
  private let isDeclined = Atomic(false)

  var mayBeAsked: Bool { !isDeclined.load(ordering: .relaxed) }

  /// Takes in that the person has said no, or nothing.
  func decline() { isDeclined.store(true, ordering: .relaxed) }

  /// Takes that back.
  func allow() { isDeclined.store(false, ordering: .relaxed) }
}

/// A `GCancellable`: ends a call that another thread is waiting in.
final class Cancellable: @unchecked Sendable {
  // GCancellable may be used from any thread; the pointer never changes.
  let pointer = g_cancellable_new()
  private let isGivenUp = Atomic(false)

  deinit {
    g_object_unref(pointer)
  }

  /// Whether nobody waits for the call any more.
  var wasGivenUp: Bool { isGivenUp.load(ordering: .acquiring) }

  /// Makes the call that uses this end with "cancelled".
  func cancel() {
    g_cancellable_cancel(pointer)
  }

  /// Cancels for who does not wait any more.
  func giveUp() {
    isGivenUp.store(true, ordering: .releasing)
    cancel()
  }
}
