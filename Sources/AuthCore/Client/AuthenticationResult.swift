public import FoundationEssentials

/// The result of a token request: an access token and its account.
public struct AuthenticationResult: Sendable {
  /// The source of the token.
  public struct Source: Sendable, Hashable, CustomStringConvertible {
    /// The cache, without any network request.
    public static let cache = Source("cache")
    /// The server.
    public static let server = Source("server")
    /// This computer's identity broker.
    public static let broker = Source("broker")

    /// The name, for logs and programs.
    public let rawValue: String

    private init(_ rawValue: String) {
      self.rawValue = rawValue
    }

    /// The name.
    public var description: String { rawValue }
  }

  /// The access token to send to the API.
  ///
  /// Treat it as opaque: it may not be a JWT.
  public let accessToken: Secret<String>
  /// When the access token expires.
  public let expiresOn: Date
  /// The granted scopes, with those of OpenID Connect.
  ///
  /// They can be requested again.
  public let scopes: [String]
  /// The account that signed in.
  public let account: Account
  /// The tenant that issued the token; `adfs` for AD FS, and empty for OpenID Connect.
  public let tenantID: String
  /// The ID token, as the server sent it.
  public let idToken: Secret<String>?
  /// The correlation ID of the request.
  public let correlationID: String
  /// The source of the token.
  public let source: Source
  /// Whether the token has expired and is returned because the service that could renew it is down.
  ///
  /// Only when ``PublicClientApplicationConfiguration/extendedLifetimeEnabled`` is set.
  /// ``expiresOn`` is then the end of the extended lifetime.
  public let isExtendedLifetimeToken: Bool

  /// Why the new tokens could not be stored; nil when they are stored, or came from the cache.
  ///
  /// They are lost when the program ends, unless the store becomes available before. The user must
  /// then sign in again if the server accepts each refresh token only once.
  public internal(set) var storageFailure: AuthenticationError?

  /// Whether the device's clock and the service's differ by more than five minutes, according to
  /// the ID token just received.
  ///
  /// The sign-in is valid anyway. Tell the user: other programs may be less tolerant.
  public var isClockWrong: Bool { clockDifference != nil }

  /// How far the device's clock is ahead of the service's, or behind it when negative; nil unless
  /// ``isClockWrong``.
  ///
  /// It is an estimate: services issue tokens that are valid since a few minutes before.
  public internal(set) var clockDifference: Duration?

  /// How the token is presented to the API.
  public internal(set) var authenticationScheme = AuthenticationScheme.bearer
  /// Creates proofs of possession of the token's key; nil for a bearer token.
  let proof: SignedHTTPRequest?

  /// The value for the `Authorization` header field.
  ///
  /// It is `Bearer` and the token (RFC 6750, section 2.1), or `PoP` and a proof for the request of
  /// ``authenticationScheme``. Each call creates a new proof, which contains the time and a nonce:
  /// send each one only once.
  public var authorizationHeader: Secret<String> {
    guard let proof,
      case .proofOfPossession(let method, let url, let nonce) = authenticationScheme.known
    else { return Secret("Bearer \(accessToken.exposed)") }
    let token = proof.token(for: accessToken, method, url, nonce: nonce)
    return Secret("PoP \(token.exposed)")
  }
}
