import CurlHTTP
import FoundationEssentials
import HTTPTypes
import Sentences

extension AuthenticationError {
  /// The error of a flow that got no response.
  init(_ error: HTTPError, step: Step) {
    if error.code == .cancelled {
      self = .canceled(step: step)
      return
    }
    let code: Code =
      switch error.code {
      case .tlsFailure: .tlsFailure
      case .invalidRequest, .invalidConfiguration: .invalidConfiguration
      case .bodyTooLarge, .invalidResponse: .invalidResponse
      // No name resolution, no connection, no proxy, or a timeout.
      default: .networkUnavailable
      }
    self.init(code, error.sentence, step: step)
    if code == .networkUnavailable { missingResponse = error.missingResponse }
  }

  /// The error of a request whose task was canceled.
  static func canceled(step: Step?) -> AuthenticationError {
    AuthenticationError(.userCanceled, Sentence("The request was canceled."), step: step)
  }

  /// The error of a service that is unavailable or throttles requests; nil if `reply` says neither.
  init?(outage reply: HTTPReply, of service: Sentence, step: Step) {
    guard reply.response.status.isOutage else { return nil }
    self.init(outage: reply.response.status.code, of: service, step: step)
  }

  /// The error of a service that answers with 429 or 5xx.
  init(outage status: Int, of service: Sentence, step: Step) {
    self.init(
      .serverUnavailable,
      status == 429
        ? Sentence(
          "{service} received too many requests (HTTP 429). Try again later.",
          ["service": service])
        : Sentence(
          "{service} is not available at the moment (HTTP {status}). Try again later.",
          ["service": service, "status": status]), step: step)
    httpStatus = status
  }

  /// The error of a sign-in service's response that is not what it should be.
  static func unusableResponse(
    _ reason: Sentence, step: Step = .token
  ) -> AuthenticationError {
    AuthenticationError(
      .invalidResponse,
      Sentence("The sign-in service’s response cannot be used: {reason}.", ["reason": reason]),
      step: step)
  }

  /// The error of a response that may come from the network, not from the service.
  static func notFromSignInService(step: Step) -> AuthenticationError {
    AuthenticationError(
      .invalidResponse,
      Sentence(
        "The response does not come from a sign-in service. If this network requires a sign-in of"
          + " its own, complete it in a browser first."), step: step)
  }

  /// This error with the pause that `reply` asks for, if it does.
  func withPause(of reply: HTTPReply, receivedAt date: Date) -> AuthenticationError {
    guard reply.response.headerFields[.retryAfter] != nil else { return self }
    var error = self
    error.retryAfter = PauseLength.after(reply, at: date).map(Duration.seconds)
    error.isPauseRequested = true
    return error
  }

  /// This error with the request's correlation ID, unless the server returned one.
  func naming(_ correlationID: String) -> AuthenticationError {
    var error = self
    error.correlationID = self.correlationID ?? correlationID
    return error
  }
}

extension HTTPResponse.Status {
  /// Whether the service is unavailable or throttles requests (429, 5xx).
  var isOutage: Bool { self == .tooManyRequests || kind == .serverError }
}
