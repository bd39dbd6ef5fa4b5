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
  private let state = LockedValue(State())

  init(_ request: CurlRequest) {
    self.request = request
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
