import CurlHTTP
import HTTPTypes

/// Whether a request that failed is sent a second time, a moment later.
///
/// There is never a third time: what fails twice is for a person to see, or for ``Throttle`` to hold
/// back.
enum RetryPolicy: Sendable {
  /// It can be sent twice without harm: documents that are read, and refresh tokens, of which the old
  /// one stays good.
  case repeatable
  /// The server takes it once: an authorization code (RFC 6749, section 4.1.2).
  case onlyOnce
  /// Whoever sends it comes back by themselves, at a pace of their own: the polls of a device code
  /// (RFC 8628, section 3.5).
  case never

  /// Whether to try again after `reply`.
  ///
  /// A server that names a time to come back at is not asked before it.
  func triesAgain(after reply: HTTPReply) -> Bool {
    self != .never && reply.response.status.kind == .serverError
      && reply.response.headerFields[.retryAfter] == nil
  }

  /// Whether to try again after `error`.
  func triesAgain(after error: HTTPError) -> Bool {
    switch error.code {
    // Nothing of the request has left this machine.
    case .cannotFindHost, .cannotConnect: self != .never
    // The server may have had it.
    case .timedOut, .connectionLost: self == .repeatable
    // A second look would not change the others.
    default: false
    }
  }

  /// How long to wait before it: a second, give or take a fifth, so that those who failed together do
  /// not come back together.
  static func pause(randomBytes: (Int) -> [UInt8]) -> Duration {
    let random = randomBytes(2).reduce(0) { $0 << 8 | Int($1) }
    return .milliseconds(800 + 400 * random / 0xffff)
  }
}
