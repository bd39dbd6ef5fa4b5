import CurlHTTP
import HTTPTypes
import Sentences

/// An authority's signing keys for ID tokens: a JWK set (RFC 7517, section 5).
struct SigningKeySet: Sendable {
  private let keys: [SigningKey]

  /// Parses the JWK set in `reply`.
  init(_ reply: HTTPReply) throws(AuthenticationError) {
    guard reply.response.status == .ok, let json = try? JSON(parsing: reply.body),
      let keys = json["keys"]?.array
    else {
      var error = AuthenticationError(
        .invalidResponse,
        Sentence("The sign-in service’s signing keys are not available."), step: .discovery)
      error.httpStatus = reply.response.status.code
      throw error
    }
    self.keys = keys.compactMap(SigningKey.init)
  }

  /// Whether these keys include the key ID of `token`.
  func know(_ token: IDToken) -> Bool {
    token.keyID == nil || keys.contains { $0.id == token.keyID }
  }

  /// Throws unless one of these keys made the signature of `token`.
  func check(_ token: IDToken) async throws(AuthenticationError) {
    guard know(token) else {
      throw IDToken.invalid(
        Sentence("its signing key does not belong to the sign-in service (kid)"))
    }
    let candidates = keys.filter {
      (token.keyID == nil || $0.id == token.keyID) && $0.fits(token)
    }
    guard !candidates.isEmpty else {
      throw IDToken.invalid(
        Sentence("its signing key is not valid for this algorithm or issuer (kid, alg)"))
    }
    // Without a key ID there must be only one candidate (OpenID Connect Core 1.0, section 10.1).
    // Keys may share an ID, though they should not: each is the sign-in service's (RFC 7517,
    // section 4.5).
    guard token.keyID != nil || candidates.count == 1 else {
      throw IDToken.invalid(Sentence("it does not identify its signing key (kid)"))
    }
    for key in candidates where await key.verifies(token) { return }
    throw IDToken.invalid(Sentence("its signature is not valid"))
  }
}
