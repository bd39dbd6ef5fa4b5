import Crypto

/// Proof Key for Code Exchange, method S256 (RFC 7636).
struct PKCE: Sendable, Equatable {
  /// The code verifier: 43 characters from 32 random bytes (section 4.1).
  let verifier: Secret<String>

  /// Makes a verifier from 32 random bytes.
  init(randomBytes: [UInt8]) {
    self.verifier = Secret(Base64URL.encode(randomBytes))
  }

  /// The code challenge: BASE64URL(SHA256(verifier)) (section 4.2).
  var challenge: String {
    Base64URL.encode(SHA256.hash(data: Array(verifier.exposed.utf8)))
  }
}
