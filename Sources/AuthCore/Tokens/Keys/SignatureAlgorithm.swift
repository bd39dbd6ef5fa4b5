import Crypto
import JWTKit

/// A signature that is accepted on an ID token (RFC 7518, section 3.1; RFC 8037).
///
/// Asymmetric ones only: with a shared secret, or none, anyone could have made it.
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

  /// What a key must say of itself to make this signature: `kty`, and `crv` where it has one.
  var keyType: (type: String, curve: String?) {
    switch self {
    case .rs256, .rs384, .rs512, .ps256, .ps384, .ps512: ("RSA", nil)
    case .es256: ("EC", "P-256")
    case .es384: ("EC", "P-384")
    case .es512: ("EC", "P-521")
    case .edDSA: ("OKP", "Ed25519")
    }
  }

  /// The name that JWTKit knows it by.
  var jwk: JWK.Algorithm? { JWK.Algorithm(rawValue: rawValue) }

  /// What ties an access token to the ID token that came with it: `at_hash` (OpenID Connect Core 1.0,
  /// section 3.1.3.6).
  func accessTokenHash(_ token: Secret<String>) -> String {
    let bytes = Array(token.exposed.utf8)
    let hash: [UInt8] =
      switch self {
      case .rs256, .ps256, .es256: Array(SHA256.hash(data: bytes))
      case .rs384, .ps384, .es384: Array(SHA384.hash(data: bytes))
      case .rs512, .ps512, .es512, .edDSA: Array(SHA512.hash(data: bytes))
      }
    return Base64URL.encode(hash.prefix(hash.count / 2))
  }
}
