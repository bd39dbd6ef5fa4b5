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
  /// Tells the user that the sign-in service cannot be reached, or, with nil, that it can again.
  ///
  /// It is called once for each outage, and again at its end. The error does not end the sign-in:
  /// polling goes on, less often. It also goes on only after this returns.
  public var reportOutage: @Sendable (AuthenticationError?) async -> Void = { _ in }

  /// Requests `scopes`; `showCode` shows the user the code and the page.
  public init(scopes: [String], showCode: @escaping @Sendable (DeviceCode) async throws -> Void) {
    self.scopes = scopes
    self.showCode = showCode
  }
}
