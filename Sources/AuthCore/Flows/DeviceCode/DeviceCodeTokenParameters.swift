/// The parameters of a device code request.
public struct DeviceCodeTokenParameters: Sendable {
  /// The scopes of the API.
  ///
  /// The OpenID Connect scopes are added automatically, and may be among them.
  public var scopes: [String]
  /// The authority, when it is not the configuration's.
  public var authority: Authority?
  /// Claims to request: from ``AuthenticationError/claims`` or an ``AuthenticationChallenge``.
  public var claims: ClaimsRequest?
  /// The correlation ID; nil for a new one.
  public var correlationID: String?
  /// Shows the code to the user, and returns as soon as it is shown.
  ///
  /// Polling starts after it returns. When it throws, the sign-in ends: with the same error if it is
  /// an ``AuthenticationError``, otherwise with code
  /// ``AuthenticationError/Code/webAuthenticationFailed``.
  public var showCode: @Sendable (DeviceCode) async throws -> Void

  /// Requests `scopes`; `showCode` shows the user the code and the page.
  public init(scopes: [String], showCode: @escaping @Sendable (DeviceCode) async throws -> Void) {
    self.scopes = scopes
    self.showCode = showCode
  }
}
