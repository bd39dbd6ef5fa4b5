/// The parameters of a token request by the device code flow.
public struct DeviceCodeTokenParameters: Sendable {
  /// The scopes of the API to be called.
  ///
  /// Those of OpenID Connect are added.
  public var scopes: [String]
  /// The authority to sign in at, when not the configuration's.
  public var authority: Authority?
  /// Claims to ask for: from ``AuthenticationError/claims`` or an ``AuthenticationChallenge``.
  public var claims: ClaimsRequest?
  /// The correlation ID of the request; a new one when nil.
  public var correlationID: String?
  /// Shows the code to the person, and returns as soon as it is shown.
  ///
  /// The server is not asked whether they are done before that.
  public var showCode: @Sendable (DeviceCode) async -> Void

  /// Asks for `scopes`, and has `showCode` tell the person what to enter where.
  public init(scopes: [String], showCode: @escaping @Sendable (DeviceCode) async -> Void) {
    self.scopes = scopes
    self.showCode = showCode
  }
}
