public import HTTPTypes
import Sentences

/// How an access token is presented to an API.
public enum AuthenticationScheme: Sendable, Hashable {
  /// As a bearer token: whoever has it can use it (RFC 6750).
  case bearer
  /// As a *signed HTTP request* (SHR): signed with a key of this app, so that a stolen token is
  /// useless.
  ///
  /// The format is MSAL's (draft-ietf-oauth-signed-http-request-03).
  ///
  /// The API must support the scheme. `url` is the whole `https` URL that will be called with
  /// `httpMethod`; the signature covers method, host and path. `nonce` is a value that the API asks
  /// to be signed; nil for a random one.
  /// random one when nil.
  case proofOfPossession(httpMethod: HTTPRequest.Method, url: String, nonce: String? = nil)

  /// Whether the token is bound to a key.
  var isProofOfPossession: Bool {
    if case .bearer = self { false } else { true }
  }

  /// Throws when requests to the URL cannot be signed.
  func check() throws(AuthenticationError) {
    guard case .proofOfPossession(_, let url, _) = self else { return }
    let request = HTTPRequest(url: url)
    guard request.scheme?.lowercased() == "https", let host = request.authority, !host.isEmpty,
      !host.contains("@"), url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f })
    else {
      throw AuthenticationError(
        .invalidParameter, Sentence("Only requests to a whole 'https' URL can be signed."))
    }
  }
}
