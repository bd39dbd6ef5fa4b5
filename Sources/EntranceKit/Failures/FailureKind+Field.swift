import AuthCore
import Connections
import MicrosoftGraph

// The field of the app's form that a failure is about, by its name in `apps.json`: the form has the
// keyboard focus there when it is opened from a notice.
extension FailureKind {
  /// The field; nil when what is wrong is not in the form.
  ///
  /// - Parameter isOfAPI: whether the API has failed, and not the sign-in service.
  fileprivate func field(isOfAPI: Bool) -> String? {
    let fields = ConnectionFields.shared
    return switch self {
    case .connection: fields.clientID.name
    // Who can sign in, and where.
    case .authority, .otherAccount: fields.authority.name
    case .redirectURI: fields.redirectURI.name
    case .scope: fields.scopes.name
    // The address may be misspelled.
    case .noConnection, .notReachable, .noResponse:
      isOfAPI ? fields.api.name : fields.authority.name
    case .notSecure: fields.caFile.name
    case .settled, .signIn, .consent, .openSignIn, .refused, .response, .later, .tooManyRequests,
      .noPages, .noDeviceCode, .storage, .broker, .approval, .device, .administrator, .registration,
      .developers:
      nil
    }
  }

  /// The field of a configuration that cannot be used: only the CA file is read again after the app
  /// was opened.
  fileprivate static var fieldOfConfiguration: String { ConnectionFields.shared.caFile.name }
}

extension AuthenticationError {
  /// Whether there is no sign-in service at the address of the authority.
  var isAboutAddress: Bool { code == .invalidResponse && step == .discovery }

  /// The field that it is about; nil for none.
  var field: String? {
    if isAboutAddress { return ConnectionFields.shared.authority.name }
    return code == .invalidConfiguration && guidance == nil
      ? FailureKind.fieldOfConfiguration : failureKind.field(isOfAPI: false)
  }
}

extension GraphError {
  /// The field that it is about; nil for none.
  var field: String? {
    switch code {
    case .invalidConfiguration: FailureKind.fieldOfConfiguration
    case .noAPI, .notFound: ConnectionFields.shared.api.name
    default: failureKind?.field(isOfAPI: true)
    }
  }
}
