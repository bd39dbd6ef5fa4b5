import Crypto
import JWTKit

/// The signature algorithms that are accepted for ID tokens (RFC 7518, section 3.1; RFC 8037; RFC
/// 9864, section 2.2).
///
/// Only asymmetric ones: with a shared secret, or none, anyone could sign.
enum SignatureAlgorithm: String, Sendable, CaseIterable {
  case rs256 = "RS256"
  case rs384 = "RS384"
  case rs512 = "RS512"
  case ps256 = "PS256"
  case ps384 = "PS384"
  case ps512 = "PS512"
  case es256 = "ES256"
  case es384 = "ES384"
  case es512 = "ES512"
  case edDSA = "EdDSA"
  case ed25519 = "Ed25519"

  /// The key type that this algorithm needs: `kty`, and `crv` if it has one.
  var keyType: (type: String, curve: String?) {
    switch self {
    case .rs256, .rs384, .rs512, .ps256, .ps384, .ps512: ("RSA", nil)
    case .es256: ("EC", "P-256")
    case .es384: ("EC", "P-384")
    case .es512: ("EC", "P-521")
    case .edDSA, .ed25519: ("OKP", "Ed25519")
    }
  }

  /// JWTKit's name for it.
  ///
  /// For this key type, `Ed25519` is another name of `EdDSA`, the only one that JWTKit has.
  var jwk: JWK.Algorithm? {
    JWK.Algorithm(rawValue: self == .ed25519 ? Self.edDSA.rawValue : rawValue)
  }

  /// The `at_hash` of an access token, which binds it to the ID token (OpenID Connect Core 1.0,
  /// section 3.1.3.6).
  func accessTokenHash(_ token: Secret<String>) -> String {
    let bytes = Array(token.exposed.utf8)
    let hash: [UInt8] =
      switch self {
      case .rs256, .ps256, .es256: Array(SHA256.hash(data: bytes))
      case .rs384, .ps384, .es384: Array(SHA384.hash(data: bytes))
      case .rs512, .ps512, .es512, .edDSA, .ed25519: Array(SHA512.hash(data: bytes))
      }
    return Base64URL.encode(hash.prefix(hash.count / 2))
  }
}
