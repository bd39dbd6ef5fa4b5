/// The `prompt` of the authorization request: which pages are shown.
///
/// A service that is not Microsoft's gets only the values that it offers
/// (`prompt_values_supported`).
public enum Prompt: String, Sendable, CaseIterable {
  /// Choose an account, if the service offers that.
  case selectAccount = "select_account"
  /// Enter the credentials, even when the browser is signed in.
  case login
  /// Consent to the permissions, even when that was done before.
  case consent
  /// Create an account.
  case create
  /// Only the necessary pages: none when the browser is signed in.
  ///
  /// No `prompt` is sent.
  case promptIfNecessary

  /// The value to send; nil for no parameter.
  var parameter: String? { self == .promptIfNecessary ? nil : rawValue }
}
