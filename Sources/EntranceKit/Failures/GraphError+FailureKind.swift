import AuthCore
import MicrosoftGraph

extension GraphError {
  /// What kind of failure it is, when waiting, a connection or the app's form helps; otherwise nil: the
  /// answer says all there is to say.
  var failureKind: FailureKind? {
    switch code {
    case .networkUnavailable: missingResponse
    case .tlsFailure: .notSecure
    case .invalidConfiguration, .noAPI: .connection
    case .throttled: .tooManyRequests
    case .serverUnavailable: .later
    case .invalidResponse: .response
    default: nil
    }
  }
}
