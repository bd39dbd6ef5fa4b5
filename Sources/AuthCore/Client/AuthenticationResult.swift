public import FoundationEssentials

/// The result of a token request: an access token, and the account that it is for.
public struct AuthenticationResult: Sendable {
  /// Where the token came from.
  public struct Source: Sendable, Hashable, CustomStringConvertible {
    /// The cache; nothing was sent over the network.
    public static let cache = Source("cache")
    /// The server.
    public static let server = Source("server")
    /// This computer's identity broker.
    public static let broker = Source("broker")

    /// The name, for logs and for programs.
    public let rawValue: String

    private init(_ rawValue: String) {
      self.rawValue = rawValue
    }

    /// The name.
    public var description: String { rawValue }
  }

  /// The access token, to be sent to the API.
  ///
  /// Its form is the API's business: it may not be a JWT.
  public let accessToken: Secret<String>
  /// When the access token expires.
  public let expiresOn: Date
  /// The scopes that were granted.
  public let scopes: [String]
  /// The account that signed in.
  public let account: Account
  /// The tenant that issued it; `adfs` for AD FS, and empty for OpenID Connect.
  public let tenantID: String
  /// The ID token, as the server sent it.
  public let idToken: Secret<String>?
  /// The correlation ID of the request.
  public let correlationID: String
  /// Where it came from.
  public let source: Source
  /// Whether the token's time was over and it is given out because the service that could renew it is
  /// down.
  ///
  /// Only where ``PublicClientApplicationConfiguration/extendedLifetimeEnabled`` is set. ``expiresOn``
  /// is the end of the longer time.
  public let isExtendedLifetimeToken: Bool

  /// Why the new tokens could not be kept; nil when they are kept, or came from the cache.
  ///
  /// They are lost when the program ends, unless the store can be reached again before. Where the server
  /// takes each refresh token only once, the person then has to sign in again.
  public internal(set) var storageFailure: AuthenticationError?

  /// Whether this device's clock and the service's disagree by more than five minutes, as far as the ID
  /// token tells that has just come.
  ///
  /// The sign-in holds all the same. Tell the person: other programs may be less patient.
  public internal(set) var isClockWrong = false

  /// How the API is shown the token.
  public internal(set) var authenticationScheme = AuthenticationScheme.bearer
  /// Makes proofs that the token's key is here; nil for a bearer token.
  let proof: SignedHTTPRequest?

  /// The value for the `Authorization` header field.
  ///
  /// It is `Bearer` and the token (RFC 6750, section 2.1), or `PoP` and a proof for the request of
  /// ``authenticationScheme``. A proof is made anew at each call, with the time and a nonce in it: send each
  /// one once.
  public var authorizationHeader: Secret<String> {
    guard let proof,
      case .proofOfPossession(let method, let url, let nonce) = authenticationScheme.known
    else { return Secret("Bearer \(accessToken.exposed)") }
    let token = proof.token(for: accessToken, method, url, nonce: nonce)
    return Secret("PoP \(token.exposed)")
  }
}
