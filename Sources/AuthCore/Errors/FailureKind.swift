package import CurlHTTP

/// What kind of failure it is, which says who can do something about it.
///
/// Everything that a person or a program is offered after a failure is a `switch` over it: the next
/// step, a notice's title and buttons, the advice of the command line and its exit status. A new kind
/// does not compile until each of them has an answer.
///
/// An enum for that reason; programs outside this package use ``AuthenticationError/NextStep``.
package enum FailureKind: Sendable, CaseIterable {
  // The person.

  /// Nothing has to be done: the person canceled or declined, or the request succeeded anyway.
  case settled
  /// Nobody is signed in, or the service asks for more than the stored tokens.
  case signIn
  /// The person has not accepted the app's permissions, or is not allowed to.
  case consent
  /// The account cannot use the app, and another one may.
  case otherAccount
  /// Another sign-in is open.
  case openSignIn
  /// The service refused without a known reason.
  case refused
  /// The response was refused: it makes no sense, or is not known to be the service's.
  case response

  // Time, the network and this computer.

  /// The service is unavailable.
  case later
  /// The service got too many requests.
  case tooManyRequests
  /// The network is missing, or does not lead to the service.
  case noConnection
  /// The service's computer refused the connection.
  case notReachable
  /// There was no complete response in time.
  case noResponse
  /// The connection was not secure.
  case notSecure
  /// The sign-in pages could not be shown.
  case noPages
  /// The service does not sign in with a device code.
  case noDeviceCode
  /// The accounts cannot be read or stored.
  case storage
  /// The identity broker cannot be used.
  case broker

  // The organization.

  /// An administrator has to approve the app.
  case approval
  /// The organization does not accept this device.
  case device
  /// Only an administrator can remove the cause.
  case administrator

  // Whoever made the app, its registration or the connection.

  /// The connection does not match the app registration.
  case connection
  /// The authority of the connection is not that of the app or the account, or is not trusted.
  case authority
  /// A scope is not valid.
  case scope
  /// The redirect URI is not registered.
  case redirectURI
  /// The app registration is not right.
  case registration
  /// The app sent a request that is not right.
  case developers
}

extension HTTPError {
  /// What kind of failure it is that there is no response.
  package var missingResponse: FailureKind {
    switch code {
    case .cannotConnect: .notReachable
    case .timedOut, .connectionLost: .noResponse
    default: .noConnection
    }
  }
}

extension AuthenticationError {
  /// The kind of failure: that of the server's reason if it is known, otherwise that of ``code``.
  package var failureKind: FailureKind {
    let kind = kindOfReason
    // The status is about this request, a number in the answer about the service.
    return kind == .later && httpStatus == 429 ? .tooManyRequests : kind
  }

  private var kindOfReason: FailureKind {
    if let guidance { return guidance.kind }
    // Signing in is no help: the account is removed, and only the browser still knows it.
    if step == .signOut { return .settled }
    // Nor is it before there is a service to sign in with.
    if step == .discovery, [.refused, .response].contains(code.failureKind) { return .authority }
    if let missingResponse { return missingResponse }
    return switch OAuthError(oauthError) {
    // During an outage, the error may be wrong.
    case .invalidClient where code == .serverError: .connection
    case .invalidScope: .scope
    default: code.failureKind
    }
  }
}
