import Crypto
import CurlHTTP
import FoundationEssentials
import Sentences

/// Holds back refresh requests that the server has just turned away, so that an app in a loop does no
/// harm to itself or to the service.
///
/// Two memories, both of exact requests. A server that is out of order, or asks for a pause, is left
/// alone with the refresh token and scopes it was asked about. Where only the person can go on, the very
/// same form is not sent again until they did, or two minutes have passed. Interactive requests are never
/// held back.
struct Throttle: Sendable {
  /// How long a form is held back that only the person can make succeed, in seconds.
  static let refusalLifetime = 120.0

  /// Where a form goes and the fields of it that count: as a digest, as they hold refresh tokens.
  private struct Key: Hashable {
    private let digest: [UInt8]

    init(_ url: String, _ fields: [TokenRequest.FormField]) {
      var hash = SHA256()
      for text in [url] + fields.flatMap({ [$0.name, $0.value] }) {
        hash.update(data: Array(text.utf8))
        // No text has this byte, so none can pass for two.
        hash.update(data: [0xff])
      }
      digest = Array(hash.finalize())
    }
  }

  private struct Block {
    var start: Date
    var end: Date
    var error: AuthenticationError

    /// A clock that was set back must not make a block last for longer.
    func covers(_ date: Date) -> Bool { start <= date && date < end }
  }

  private var pauses: [Key: Block] = [:]
  private var refusals: [Key: Block] = [:]

  /// The error that stands in for sending `request` at `date`; nil when it may be sent.
  func error(for request: TokenRequest, at date: Date) -> AuthenticationError? {
    var error: AuthenticationError
    if let block = refusals[Self.wholeKey(request)], block.covers(date) {
      error = block.error
      error.retryAfter = nil
    } else if let block = pauses[Self.pauseKey(request)], block.covers(date) {
      error = block.error
      error.retryAfter = .seconds(block.end.timeIntervalSince(date))
    } else {
      return nil
    }
    error.isThrottled = true
    return error
  }

  /// Takes in how the server answered `request`.
  mutating func answered(
    _ request: TokenRequest, by reply: HTTPReply, error: AuthenticationError?, at date: Date
  ) {
    let error = error?.naming(request.correlationID)
    pauses = pauses.filter { $0.value.covers(date) }
    refusals = refusals.filter { $0.value.covers(date) }
    if let pause = RetryAfter.pause(of: reply, at: date) {
      pauses[Self.pauseKey(request)] = Block(
        start: date, end: date + pause,
        error: error
          ?? AuthenticationError(
            .serverUnavailable,
            Sentence("The sign-in service is busy. Please try again later."), step: .token)
      )
    }
    if let error, error.code == .interactionRequired {
      refusals[Self.wholeKey(request)] = Block(
        start: date, end: date + Self.refusalLifetime, error: error)
    }
  }

  /// Takes in that a person signed in: what only they could do may be done now.
  mutating func personSignedIn() {
    refusals = [:]
  }

  private static func pauseKey(_ request: TokenRequest) -> Key {
    key(request) { ["client_id", "refresh_token", "scope"].contains($0) }
  }

  private static func wholeKey(_ request: TokenRequest) -> Key {
    key(request) { $0 != "grant_type" }
  }

  private static func key(_ request: TokenRequest, where counts: (String) -> Bool) -> Key {
    Key(request.url, request.fields.exposed.filter { counts($0.name) })
  }
}
