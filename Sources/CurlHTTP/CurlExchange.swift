/// A request and the caller that waits for its outcome.
///
/// The first outcome counts, whether it comes from the owner thread or from a canceled task. A
/// canceled caller therefore never waits for the thread.
final class CurlExchange: Sendable {
  /// What the caller gets.
  typealias Outcome = Result<HTTPReply, HTTPError>

  private struct State: Sendable {
    var outcome: Outcome?
    var caller: CheckedContinuation<Void, Never>?
  }

  /// The request to send.
  let request: CurlRequest
  /// The deadline for the whole exchange, including the choice of a proxy and a second connection.
  let deadline: ContinuousClock.Instant
  /// Takes the response piece by piece; nil when the caller gets it as a whole.
  let pipe: BodyPipe?
  private let state = LockedValue(State())

  /// Longer than anyone waits, and small enough not to overflow.
  private static let longest = Duration.seconds(1_000_000)

  init(_ request: CurlRequest, pipe: BodyPipe? = nil) {
    self.request = request
    self.pipe = pipe
    deadline = .now + min(max(request.limits.total, .zero), Self.longest)
  }

  /// The outcome; nil until it is known.
  var outcome: Outcome? {
    state.withLock(\.outcome)
  }

  /// Keeps `caller` until there is an outcome; returns false if there already is one.
  func begin(_ caller: CheckedContinuation<Void, Never>) -> Bool {
    let mustWait = state.withLock { state in
      guard state.outcome == nil else { return false }
      state.caller = caller
      return true
    }
    if !mustWait { caller.resume() }
    return mustWait
  }

  /// Resumes the caller, unless it already has an outcome.
  func finish(_ outcome: Outcome) {
    let caller = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard state.outcome == nil else { return nil }
      state.outcome = outcome
      return state.caller.take()
    }
    caller?.resume()
    pipe?.finish(outcome.map { _ in })
  }
}
