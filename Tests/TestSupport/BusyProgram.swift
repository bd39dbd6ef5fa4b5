import Dispatch
import CurlHTTP

/// Repeats an operation until it is stopped, like another busy program.
///
/// It has its own thread: Swift's tasks share one thread per core, and a loop that never suspends
/// would block one of them.
public final class BusyProgram: Sendable {
  private let isStopped = LockedValue(false)
  private let queue = DispatchQueue(label: "busy-program")

  /// Starts to repeat `turn`.
  public init(_ turn: @escaping @Sendable () -> Void) {
    queue.async { [isStopped] in
      while !isStopped.withLock({ $0 }) { turn() }
    }
  }

  /// Stops it; returns when the last turn is over.
  public func stop() {
    isStopped.withLock { $0 = true }
    queue.sync {}
  }
}
