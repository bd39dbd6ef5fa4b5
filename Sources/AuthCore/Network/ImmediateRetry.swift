import CurlHTTP
import HTTPTypes

/// Whether a failed request is sent a second time after a short pause.
///
/// It is never sent a third time: then the user sees the error, or ``Throttle`` blocks the request.
enum ImmediateRetry: Sendable {
  /// Safe to send twice: requests for documents, and refresh tokens that remain valid.
  case repeatable
  /// The server accepts it once: an authorization code (RFC 6749, section 4.1.2).
  case onlyOnce
  /// The caller repeats it at its own interval: polling with a device code (RFC 8628, section 3.5).
  case never

  /// Whether to try again after `reply`.
  ///
  /// If the server sends a time to wait, there is no retry before it.
  func triesAgain(after reply: HTTPReply) -> Bool {
    self != .never && reply.response.status.kind == .serverError
      && reply.response.headerFields[.retryAfter] == nil
  }

  /// Whether to try again after `error`.
  func triesAgain(after error: HTTPError) -> Bool {
    switch error.code {
    // Nothing of the request was sent.
    case .cannotFindHost, .networkUnreachable, .cannotConnect: self != .never
    // The server may have received it.
    case .timedOut, .connectionLost: self == .repeatable
    // Trying again would not help.
    default: false
    }
  }

  /// The pause before a retry: a second, varied by a fifth, so that clients that failed together do
  /// not retry together.
  static func pause(randomBytes: (Int) -> [UInt8]) -> Duration {
    let random = randomBytes(2).reduce(0) { $0 << 8 | Int($1) }
    return .milliseconds(800 + 400 * random / 0xffff)
  }
}
