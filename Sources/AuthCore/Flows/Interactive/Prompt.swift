/// Which pages a person is shown; the `prompt` of the authorization request.
///
/// A service of another kind than Microsoft's is sent only what it says that it offers
/// (`prompt_values_supported`).
public enum Prompt: String, Sendable, CaseIterable {
  /// Choose one of the accounts that the browser knows, or another, where the service offers it.
  case selectAccount = "select_account"
  /// Enter the credentials, even when the browser is signed in.
  case login
  /// Agree to the permissions, even when that was done before.
  case consent
  /// Create an account.
  case create
  /// Only what is needed: nothing, when the browser is signed in. No `prompt` is sent.
  case promptIfNecessary

  /// What is sent; nil for no parameter.
  var parameter: String? { self == .promptIfNecessary ? nil : rawValue }
}
