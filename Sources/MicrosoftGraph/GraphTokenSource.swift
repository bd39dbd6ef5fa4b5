public import AuthCore
public import HTTPTypes

/// Gets the tokens of a ``GraphClient``.
///
/// The client asks it for each request, and once more when Graph does not accept the token. The
/// source must keep the token that it returns then, and return it to later calls: these do not
/// repeat the claims or `forceRefresh`.
public protocol GraphTokenSource: Sendable {
  /// The value of the `Authorization` header field for `request`.
  ///
  /// - Parameters:
  ///   - request: the request as it is sent, without this field.
  ///   - claims: the claims of Graph's claims challenge, which the token must have; nil without one.
  ///   - forceRefresh: whether Graph rejected the token of before.
  /// - Throws: an error, which the client's ``GraphError/cause`` has.
  func authorization(
    for request: HTTPRequest, claims: ClaimsRequest?, forceRefresh: Bool
  ) async throws -> Secret<String>
}

/// Acquires the tokens of an account silently.
public struct AccountTokenSource: GraphTokenSource {
  let app: PublicClientApplication
  let account: Account
  let scopes: [String]
  let authority: Authority?

  /// A source for `account`, which has signed in.
  ///
  /// - Parameters:
  ///   - app: the app that the account has signed in to.
  ///   - account: the account.
  ///   - scopes: the permissions of the tokens.
  ///   - authority: the authority of a tenant that the account is a guest of; nil for the app's.
  public init(
    app: PublicClientApplication, account: Account, scopes: [String], authority: Authority? = nil
  ) {
    self.app = app
    self.account = account
    self.scopes = scopes
    self.authority = authority
  }

  /// Acquires a token.
  ///
  /// - Throws: `AuthenticationError`; with code `interactionRequired` when the user must sign in
  ///   again, with the error's claims if it has some.
  public func authorization(
    for request: HTTPRequest, claims: ClaimsRequest?, forceRefresh: Bool
  ) async throws -> Secret<String> {
    var parameters = SilentTokenParameters(scopes: scopes, account: account)
    parameters.authority = authority
    parameters.claims = claims
    parameters.forceRefresh = forceRefresh
    return try await app.acquireTokenSilent(parameters).authorizationHeader
  }
}

/// An authorization that the caller has.
struct FixedAuthorization: GraphTokenSource {
  let value: Secret<String>?

  func authorization(
    for request: HTTPRequest, claims: ClaimsRequest?, forceRefresh: Bool
  ) async throws -> Secret<String> {
    // Nothing can be renewed: the caller gets Graph's own error.
    guard let value, claims == nil, !forceRefresh else { throw CannotRenew() }
    return value
  }

  struct CannotRenew: Error {}
}
