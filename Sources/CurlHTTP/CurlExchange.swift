/// A request and the caller that waits for its outcome.
///
/// The first outcome counts, whether it comes from the owner thread or from a canceled task. A
/// canceled caller therefore never waits for the thread.
final class CurlExchange: Sendable {
  /// What the caller gets.
  typealias Outcome = Result<HTTPReply, HTTPError>

  /// The request to send.
  let request: CurlRequest
  /// The deadline for the whole exchange, including the choice of a proxy and a second connection.
  let deadline: ContinuousClock.Instant
  /// Takes the response piece by piece; nil when the caller gets it as a whole.
  let pipe: BodyPipe?
  private let promise = Promise<Outcome>()

  /// Longer than anyone waits, and small enough not to overflow.
  private static let longest = Duration.seconds(1_000_000)

  init(_ request: CurlRequest, pipe: BodyPipe? = nil) {
    self.request = request
    self.pipe = pipe
    deadline = .now + min(max(request.limits.total, .zero), Self.longest)
  }

  /// The outcome; nil until it is known.
  var outcome: Outcome? { promise.current }

  /// Waits for the outcome.
  func wait() async -> Outcome { await promise.value() }

  /// Ends it as canceled.
  func cancel() { finish(.failure(HTTPError(.cancelled, host: request.host))) }

  /// Sets the outcome, and lets the caller go on, unless there already is one.
  func finish(_ outcome: Outcome) {
    guard promise.fulfill(outcome) else { return }
    pipe?.finish(outcome.map { _ in })
  }
}
