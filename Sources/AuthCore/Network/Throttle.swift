import Crypto
import CurlHTTP
import FoundationEssentials
import Sentences

/// Blocks refresh requests that the server has just rejected, so that an app in a loop harms
/// neither itself nor the service.
///
/// It remembers exact requests in two ways. After an outage or a request to wait, the same refresh
/// token and scopes are blocked for that time. After an error that needs user interaction, the
/// identical form is blocked until the user has signed in, or for two minutes. Interactive requests
/// are never blocked.
struct Throttle: Sendable {
  /// How long a form that needs user interaction is blocked, in seconds.
  static let refusalLifetime = 120.0

  /// The endpoint and the significant form fields, as a digest because they contain refresh tokens.
  private typealias Key = [UInt8]

  private struct Block {
    var pause: Pause
    var error: AuthenticationError
    var account: HomeAccountID?
  }

  private var pauses: [Key: Block] = [:]
  private var refusals: [Key: Block] = [:]

  /// The error to return instead of sending `request` at `date`; nil when it may be sent.
  func error(for request: TokenRequest, at date: Date) -> AuthenticationError? {
    var error: AuthenticationError
    if let block = refusals[Self.wholeKey(request)], block.pause.covers(date) {
      error = block.error
      error.retryAfter = nil
    } else if let block = pauses[Self.pauseKey(request)], block.pause.covers(date) {
      error = block.error
      error.retryAfter = .seconds(block.pause.end.timeIntervalSince(date))
    } else {
      return nil
    }
    error.isThrottled = true
    return error
  }

  /// Records the server's reply to `request`, which was for `account`.
  mutating func answered(
    _ request: TokenRequest, of account: HomeAccountID?, by reply: HTTPReply,
    error: AuthenticationError?, at date: Date
  ) {
    let error = error?.naming(request.correlationID)
    pauses = pauses.filter { $0.value.pause.covers(date) }
    refusals = refusals.filter { $0.value.pause.covers(date) }
    if let seconds = PauseLength.after(reply, at: date) {
      pauses[Self.pauseKey(request)] = Block(
        pause: Pause(from: date, for: seconds), error: error ?? .busy, account: account)
    }
    if let error, error.code == .interactionRequired {
      refusals[Self.wholeKey(request)] = Block(
        pause: Pause(from: date, for: Self.refusalLifetime), error: error)
    }
  }

  /// Records the sign-in of `account`: requests that needed user interaction may succeed now, and
  /// its pauses end.
  mutating func clearPauses(of account: HomeAccountID) {
    refusals = [:]
    pauses = pauses.filter { $0.value.account != account }
  }

  /// What tells paused requests apart; with the refresh token, so that a new one is not paused.
  static func pauseText(of request: TokenRequest) -> Secret<[String]> {
    text(of: request) { ["client_id", "refresh_token", "scope"].contains($0) }
  }

  private static func pauseKey(_ request: TokenRequest) -> Key {
    digest(of: pauseText(of: request).exposed)
  }

  private static func wholeKey(_ request: TokenRequest) -> Key {
    digest(of: text(of: request) { $0 != "grant_type" }.exposed)
  }

  /// A digest that only these texts, in this order, have.
  static func digest(of texts: [String]) -> [UInt8] {
    var hash = SHA256()
    for text in texts {
      hash.update(data: Array(text.utf8))
      // A byte that no text contains separates the values unambiguously.
      hash.update(data: [0xff])
    }
    return Array(hash.finalize())
  }

  private static func text(
    of request: TokenRequest, where counts: (String) -> Bool
  ) -> Secret<[String]> {
    let fields = request.fields.exposed.filter { counts($0.name) }
    return Secret([request.url] + fields.flatMap { [$0.name, $0.value] })
  }
}

extension AuthenticationError {
  /// The error of a request that a server asked to send later, without words of its own.
  static let busy = AuthenticationError(
    .serverUnavailable, Sentence("The sign-in service is busy. Try again later."),
    step: .token)
}
