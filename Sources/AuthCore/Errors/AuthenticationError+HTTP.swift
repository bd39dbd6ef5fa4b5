import CurlHTTP
import Sentences

extension AuthenticationError {
  /// The error of a flow that got no response.
  init(_ error: HTTPError, step: Step) {
    let code: Code =
      switch error.code {
      case .cancelled: .userCanceled
      case .tlsFailure: .tlsFailure
      case .invalidRequest, .invalidConfiguration: .invalidConfiguration
      case .bodyTooLarge, .invalidResponse: .invalidResponse
      // No name resolution, no connection, no proxy, or a timeout.
      default: .networkUnavailable
      }
    self.init(
      code, code == .userCanceled ? Sentence("The request was canceled.") : error.sentence,
      step: step)
  }

  /// This error with the request's correlation ID, unless the server returned one.
  func naming(_ correlationID: String) -> AuthenticationError {
    var error = self
    error.correlationID = self.correlationID ?? correlationID
    return error
  }
}
