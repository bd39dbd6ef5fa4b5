public import HTTPTypes
import Sentences

/// How an API is shown an access token.
public enum AuthenticationScheme: Sendable, Hashable {
  /// As it is: whoever has the token can use it (RFC 6750).
  case bearer
  /// In a request that is signed with a key of this app, so that the token is of no use to whoever gets hold
  /// of it: a *signed HTTP request* (SHR) as MSAL makes it (draft-ietf-oauth-signed-http-request-03).
  ///
  /// The API has to know the scheme. `url` is the whole `https` URL that will be called with `httpMethod`:
  /// the signature covers the method, the host and the path. `nonce` is what the API asked to be signed; a
  /// random one when nil.
  case proofOfPossession(httpMethod: HTTPRequest.Method, url: String, nonce: String? = nil)

  /// Whether the token is bound to a key.
  var isProofOfPossession: Bool {
    if case .bearer = self { false } else { true }
  }

  /// Throws unless requests to the URL can be signed.
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
