import Dispatch

/// The time limit of a piece of work, which is extended while a service waits for the user.
///
/// When the limit passes, the call in progress ends.
public final class TimeLimit {
  /// Ends the call.
  public let cancellable: Cancellable
  private let limit: Duration
  private let timer = DispatchSource.makeTimerSource()

  /// Starts the time limit.
  public init(_ limit: Duration, _ cancellable: Cancellable) {
    self.cancellable = cancellable
    self.limit = limit
    restart(limit)
    timer.setEventHandler { cancellable.cancel() }
    timer.resume()
  }

  deinit {
    timer.cancel()
  }

  /// Runs `work`, which asks the user, who may take as long as `userLimit`.
  public func waitingForUser<Value>(atMost userLimit: Duration, _ work: () -> Value) -> Value {
    restart(userLimit)
    defer { restart(limit) }
    return work()
  }

  private func restart(_ limit: Duration) {
    timer.schedule(deadline: .now() + .milliseconds(limit.milliseconds))
  }
}

extension Duration {
  /// In whole milliseconds, between none and eleven days.
  var milliseconds: Int {
    // `components` traps outside of the range of their types.
    let (seconds, attoseconds) = min(max(self, .zero), .seconds(1_000_000)).components
    return Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
  }
}
