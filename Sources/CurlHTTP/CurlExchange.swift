/// One request and the caller who waits for its outcome.
///
/// The first outcome counts, whoever brings it: the owner thread or a cancelled task. That is why a
/// cancelled caller never waits for the thread.
final class CurlExchange: Sendable {
  /// What a caller gets in the end.
  typealias Outcome = Result<HTTPReply, HTTPError>

  private struct State: Sendable {
    var outcome: Outcome?
    var caller: CheckedContinuation<Void, Never>?
  }

  /// What to send.
  let request: CurlRequest
  /// When the time for the whole exchange is over: choosing a proxy and a second connection count.
  let deadline: ContinuousClock.Instant
  private let state = LockedValue(State())

  /// Longer than anyone waits, and short enough to count with.
  private static let longest = Duration.seconds(1_000_000)

  init(_ request: CurlRequest) {
    self.request = request
    deadline = .now + min(request.limits.total, Self.longest)
  }

  /// What the caller gets; nil while that is not known.
  var outcome: Outcome? {
    state.withLock(\.outcome)
  }

  /// Keeps `caller` until there is an outcome; false if there is one already.
  func begin(_ caller: CheckedContinuation<Void, Never>) -> Bool {
    let mustWait = state.withLock { state in
      guard state.outcome == nil else { return false }
      state.caller = caller
      return true
    }
    if !mustWait { caller.resume() }
    return mustWait
  }

  /// Answers the caller, if nothing else did before.
  func finish(_ outcome: Outcome) {
    let caller = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard state.outcome == nil else { return nil }
      state.outcome = outcome
      return state.caller.take()
    }
    caller?.resume()
  }
}
