public import HTTPTypes
import Sentences

/// How an access token is presented to an API.
public struct AuthenticationScheme: Sendable, Hashable {
  /// As a bearer token: whoever has it can use it (RFC 6750).
  public static let bearer = AuthenticationScheme(.bearer)

  /// As a *signed HTTP request* (SHR): signed with a key of this app, so that a stolen token is
  /// useless.
  ///
  /// The format is MSAL's (draft-ietf-oauth-signed-http-request-03). The API must support the
  /// scheme.
  /// - Parameters:
  ///   - httpMethod: the method of the request.
  ///   - url: the whole `https` URL that will be called. The signature covers method, host and
  ///     path.
  ///   - nonce: a value that the API asks to be signed; nil for a random one.
  public static func proofOfPossession(
    httpMethod: HTTPRequest.Method, url: String, nonce: String? = nil
  ) -> AuthenticationScheme {
    AuthenticationScheme(.proofOfPossession(httpMethod, url, nonce: nonce))
  }

  /// The schemes of this version, for a `switch` that must handle each.
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

  /// Throws when requests to the URL cannot be signed.
  func check() throws(AuthenticationError) {
    guard case .proofOfPossession(_, let url, _) = known else { return }
    let request = HTTPRequest(url: url)
    guard request.scheme?.lowercased() == "https", let host = request.authority, !host.isEmpty,
      !host.contains("@"), url.utf8.allSatisfy(\.isVisibleASCII)
    else {
      throw AuthenticationError(
        .invalidParameter, Sentence("Only requests to a complete “https” URL can be signed."))
    }
  }
}
