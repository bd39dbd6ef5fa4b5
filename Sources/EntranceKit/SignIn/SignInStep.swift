public import AuthCore

/// What a sign-in in progress waits for.
///
/// An enum, because each is shown differently.
public enum SignInStep: Sendable, Equatable {
  /// The sign-in service.
  case service
  /// This computer's identity broker, which shows its own pages.
  case broker
  /// The user, in the sign-in window.
  case embedded
  /// The user, in the browser.
  ///
  /// - Parameters:
  ///   - request: the page, and the redirect that ends the wait.
  ///   - hint: what to do if the sign-in service does not know the redirect URI, or about the browser's
  ///     warning of the demo's certificate; nil when neither can be.
  case browser(_ request: WebAuthenticationRequest, hint: String?)
  /// The user, who enters a code; nil while it is requested.
  case code(DeviceCode?)
  /// The sign-in service, which cannot be reached at the moment to ask whether this code was entered.
  case unreachable(DeviceCode)
  /// The user, whose code has expired.
  case expiredCode
  /// The user, who has declined the sign-in on the other device, or somebody else has.
  case declinedCode
}
