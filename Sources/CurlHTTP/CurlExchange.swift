import Synchronization

/// One request and the caller who waits for its outcome.
///
/// The first outcome counts, whoever brings it: the owner thread or a cancelled task. That is why a
/// cancelled caller never waits for the thread.
final class CurlExchange: Sendable {
  /// What a caller gets in the end.
  typealias Outcome = Result<HTTPReply, HTTPError>

  private enum State {
    case new
    case waiting(CheckedContinuation<Outcome, Never>)
    case finished
  }

  /// What to send.
  let request: CurlRequest
  private let state = Mutex(State.new)

  init(_ request: CurlRequest) {
    self.request = request
  }

  /// Whether the caller has been answered, so that there is nothing left to do.
  var isFinished: Bool {
    state.withLock { state in
      if case .finished = state { true } else { false }
    }
  }

  /// Takes the caller's continuation; false if the task was cancelled already.
  func begin(_ continuation: CheckedContinuation<Outcome, Never>) -> Bool {
    let hasBegun = state.withLock { state in
      guard case .new = state else { return false }
      state = .waiting(continuation)
      return true
    }
    if !hasBegun { continuation.resume(returning: .failure(.cancelled(host: request.host))) }
    return hasBegun
  }

  /// Answers the caller, if nothing else did before.
  func finish(_ outcome: Outcome) {
    let continuation = state.withLock { state in
      defer { state = .finished }
      if case .waiting(let continuation) = state { return continuation as Optional }
      return nil
    }
    continuation?.resume(returning: outcome)
  }
}
