import AuthCore
import HTTPTypes

/// When a failed request is sent again, and after how long.
///
/// Graph refuses a throttled request (429) before it does anything, so any such request is sent
/// again. After 503, 504 and 509, and without a response, only a request whose repetition has no
/// further effect is: not a `POST` or `PATCH`.
public struct RetryPolicy: Sendable, Equatable {
  /// How often a request is sent again.
  public var limit: Int
  /// The longest pause that is waited; when the service asks for a longer one, the error is thrown.
  public var longestPause: Duration
  /// The pause before the first repetition, when the service asks for none; it doubles each time.
  public var firstPause: Duration

  /// Creates a policy: by default three repetitions, each after at most two minutes.
  public init(
    limit: Int = 3, longestPause: Duration = .seconds(120), firstPause: Duration = .seconds(1)
  ) {
    self.limit = limit
    self.longestPause = longestPause
    self.firstPause = firstPause
  }

  /// A request is sent once.
  public static let never = RetryPolicy(limit: 0)

  /// The pause before `request` is sent again; nil when it is not.
  ///
  /// - Parameters:
  ///   - error: why it failed.
  ///   - count: how often it was sent again.
  ///   - random: a number from 0 to 1, so that clients that failed together do not retry together.
  ///   - statuses: more statuses after which it is sent again, if it can be repeated.
  func pause(
    after error: GraphError, of request: GraphRequest, count: Int, random: Double,
    also statuses: Set<Int> = []
  ) -> Duration? {
    guard count < limit, repeats(error, of: request, also: statuses) else { return nil }
    let backoff = firstPause * Double(1 << min(count, 20)) * (0.75 + 0.5 * random)
    let pause = error.retryAfter ?? min(backoff, longestPause)
    return pause <= longestPause ? pause : nil
  }

  /// Whether a pause that was asked for before is waited for, so that the request is sent at all.
  func waits(for pause: Duration) -> Bool { limit > 0 && pause <= longestPause }

  private func repeats(
    _ error: GraphError, of request: GraphRequest, also statuses: Set<Int>
  ) -> Bool {
    switch error.status {
    case 429: true
    case 503, 504, 509: request.isIdempotent
    case nil: error.code == .networkUnavailable && request.isIdempotent
    case let status?: statuses.contains(status) && request.isIdempotent
    }
  }
}
