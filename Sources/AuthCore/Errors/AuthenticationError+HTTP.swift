import CurlHTTP
import Sentences

extension AuthenticationError {
  /// What it means for a flow that no response came.
  init(_ error: HTTPError, step: Step) {
    let code: Code =
      switch error.code {
      case .cancelled: .userCanceled
      case .tlsFailure: .tlsFailure
      case .invalidRequest, .invalidConfiguration: .invalidConfiguration
      case .bodyTooLarge, .invalidResponse: .invalidResponse
      // No name, no connection, no proxy, or no answer in time.
      default: .networkUnavailable
      }
    self.init(
      code, code == .userCanceled ? Sentence("The request was canceled.") : error.sentence,
      step: step)
  }

  /// This error with the request's correlation ID, where the server did not name one.
  func naming(_ correlationID: String) -> AuthenticationError {
    var error = self
    error.correlationID = self.correlationID ?? correlationID
    return error
  }
}
