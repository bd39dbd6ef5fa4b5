public import HTTPTypes
import Sentences

/// How an API is shown an access token.
public struct AuthenticationScheme: Sendable, Hashable {
  /// As it is: whoever has the token can use it (RFC 6750).
  public static let bearer = AuthenticationScheme(.bearer)

  /// In a request that is signed with a key of this app, so that the token is of no use to whoever gets hold
  /// of it: a *signed HTTP request* (SHR) as MSAL makes it (draft-ietf-oauth-signed-http-request-03).
  ///
  /// The API has to know the scheme.
  /// - Parameters:
  ///   - httpMethod: the method of the request.
  ///   - url: the whole `https` URL that will be called. The signature covers the method, the host and the
  ///     path.
  ///   - nonce: what the API asked to be signed; a random one when nil.
  public static func proofOfPossession(
    httpMethod: HTTPRequest.Method, url: String, nonce: String? = nil
  ) -> AuthenticationScheme {
    AuthenticationScheme(.proofOfPossession(httpMethod, url, nonce: nonce))
  }

  /// Those of this version, for a `switch` that has to handle each.
  enum Known: Hashable {
    case bearer
    case proofOfPossession(HTTPRequest.Method, String, nonce: String?)
  }
  let known: Known

  private init(_ known: Known) {
    self.known = known
  }

  /// Whether the token is bound to a key.
  var isProofOfPossession: Bool {
    switch known {
    case .bearer: false
    case .proofOfPossession: true
    }
  }

  /// Throws unless requests to the URL can be signed.
  func check() throws(AuthenticationError) {
    guard case .proofOfPossession(_, let url, _) = known else { return }
    let request = HTTPRequest(url: url)
    guard request.scheme?.lowercased() == "https", let host = request.authority, !host.isEmpty,
      !host.contains("@"), url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f })
    else {
      throw AuthenticationError(
        .invalidParameter, Sentence("Only requests to a complete 'https' URL can be signed."))
    }
  }
}
