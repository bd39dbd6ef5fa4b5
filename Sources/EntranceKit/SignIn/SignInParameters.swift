import AuthCore

/// The parameters of a sign-in, the same for each way.
struct SignInParameters {
  /// The scopes of the API.
  var scopes: [String]
  /// The account to sign in; its user name is filled in.
  var account: Account?
  /// Which pages to show.
  var prompt = Prompt.selectAccount
  /// The authority, when it is not the connection's.
  var authority: Authority?
  /// Whether the pages discard their session when they close.
  var prefersEphemeralSession = true
  /// Claims to request.
  var claims: ClaimsRequest?

  /// The parameters for pages that `session` shows.
  func interactive(_ session: any WebAuthenticationSession) -> InteractiveTokenParameters {
    var parameters = InteractiveTokenParameters(scopes: scopes, session: session)
    parameters.account = account
    parameters.prompt = prompt
    parameters.authority = authority
    parameters.claims = claims
    parameters.prefersEphemeralSession = prefersEphemeralSession
    return parameters
  }

  /// The parameters for a code that `showCode` shows.
  ///
  /// With a code, no account can be filled in, and the pages cannot be chosen.
  func deviceCode(
    _ showCode: @escaping @Sendable (DeviceCode) async -> Void
  ) -> DeviceCodeTokenParameters {
    var parameters = DeviceCodeTokenParameters(scopes: scopes, showCode: showCode)
    parameters.authority = authority
    parameters.claims = claims
    return parameters
  }
}
