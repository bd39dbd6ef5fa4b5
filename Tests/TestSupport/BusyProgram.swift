import Dispatch
import CurlHTTP

/// Does the same again and again, as another busy program would, until it is stopped.
///
/// It has a thread of its own. Swift's tasks share as many threads as there are cores, and a loop that never
/// suspends would keep one of them from all other tests.
public final class BusyProgram: Sendable {
  private let isStopped = LockedValue(false)
  private let queue = DispatchQueue(label: "busy-program")

  /// Begins to do `turn` again and again.
  public init(_ turn: @escaping @Sendable () -> Void) {
    queue.async { [isStopped] in
      while !isStopped.withLock({ $0 }) { turn() }
    }
  }

  /// Returns once the last turn is over.
  public func stop() {
    isStopped.withLock { $0 = true }
    queue.sync {}
  }
}
