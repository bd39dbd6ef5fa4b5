/// A program of this computer's owner that signs people in for all others: an identity broker.
///
/// It holds the device's registration and the person's sign-in, so it gets tokens without a password, and
/// where an organization admits known devices only. AuthCore knows no bus: whoever can reach a broker
/// conforms to this.
///
/// A computer without a broker is the usual case and no error: every method then gives nil, as soon as
/// that is known. All methods throw ``AuthenticationError`` when there is a broker and it did not do its
/// part: ``AuthenticationError/Code/brokerUnavailable`` when it gave no answer or the way to it failed,
/// ``AuthenticationError/Code/invalidResponse`` when its answer cannot be read,
/// ``AuthenticationError/Code/userCanceled`` when the task was cancelled, and otherwise what
/// ``BrokerError/authenticationError(_:)`` makes of the error that it reported.
public protocol TokenBroker: Sendable {
  /// The broker's version, such as `2.0.2`.
  func version(correlationID: String) async throws(AuthenticationError) -> String?

  /// The accounts that an app may use.
  func accounts(
    clientID: String, correlationID: String
  ) async throws(AuthenticationError) -> [BrokerAccount]?

  /// Gets a token for `request.account` without a person.
  func acquireTokenSilently(
    _ request: BrokerTokenRequest
  ) async throws(AuthenticationError) -> BrokerToken?

  /// Gets a token, with windows of the broker's own if it needs any.
  ///
  /// It waits for the person for as long as they take.
  func acquireTokenInteractively(
    _ request: BrokerTokenRequest
  ) async throws(AuthenticationError) -> BrokerToken?

  /// Gets the cookies by which Microsoft's pages know `request.account` and this device.
  ///
  /// - Parameters:
  ///   - url: the page that they are for: an authorization request, whose `sso_nonce` parameter they then
  ///     hold.
  ///   - request: whom they are for.
  func singleSignOnCookies(
    for url: String, _ request: BrokerTokenRequest
  ) async throws(AuthenticationError) -> [WebCookie]?

  /// Takes an account away from an app.
  ///
  /// - Returns: nil without a broker.
  func remove(
    _ account: BrokerAccount, clientID: String, correlationID: String
  ) async throws(AuthenticationError) -> Void?
}
