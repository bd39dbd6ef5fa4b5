/// An identity broker: a program on this computer that signs in for all apps.
///
/// It holds the device registration and the user's sign-in. It can therefore acquire tokens without
/// a password, also for organizations that require a registered device. AuthCore does not depend on
/// D-Bus: a type that can reach a broker conforms to this protocol.
///
/// Having no broker is normal and no error: every method then returns nil, as soon as that is
/// known. All methods throw ``AuthenticationError`` when there is a broker and the call fails:
///
/// - ``AuthenticationError/Code/brokerUnavailable`` when it did not answer or could not be
///   reached
/// - ``AuthenticationError/Code/invalidResponse`` when its reply cannot be parsed
/// - ``AuthenticationError/Code/userCanceled`` when the task was canceled
/// - otherwise ``BrokerError/authenticationError(_:)`` of the error that it reported.
public protocol TokenBroker: Sendable {
  /// The broker's version, such as `2.0.2`.
  func version(correlationID: String) async throws(AuthenticationError) -> String?

  /// The accounts that an app may use.
  func accounts(
    clientID: String, correlationID: String
  ) async throws(AuthenticationError) -> [BrokerAccount]?

  /// Acquires a token for `request.account` without user interaction.
  func acquireTokenSilently(
    _ request: BrokerTokenRequest
  ) async throws(AuthenticationError) -> BrokerToken?

  /// Acquires a token, in the broker's own windows if necessary.
  ///
  /// It waits for the user without a time limit.
  func acquireTokenInteractively(
    _ request: BrokerTokenRequest
  ) async throws(AuthenticationError) -> BrokerToken?

  /// Gets the cookies that identify `request.account` and this device to Microsoft's pages.
  ///
  /// - Parameters:
  ///   - url: the page: an authorization request, whose `sso_nonce` parameter the cookies then
  ///     contain.
  ///   - request: the account and the app.
  func singleSignOnCookies(
    for url: String, _ request: BrokerTokenRequest
  ) async throws(AuthenticationError) -> [WebCookie]?

  /// Removes an account from an app: it is neither listed nor given tokens until the user signs it
  /// in again.
  ///
  /// Not every broker can. The conforming type remembers it then.
  /// - Returns: nil without a broker.
  func remove(
    _ account: BrokerAccount, clientID: String, correlationID: String
  ) async throws(AuthenticationError) -> Void?
}
