import CryptoExtras
import FoundationEssentials
import JWTKit

/// The RSA key that signs tokens.
///
/// It is made at start and never leaves the process.
struct SigningKey: Sendable {
  /// The name of the key in the header of tokens and in the key set.
  let keyID: String
  private let keys: JWTKeyCollection
  private let modulus: String
  private let exponent: String

  init() async throws {
    let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
    let primitives = try key.publicKey.getKeyPrimitives()
    keyID = Random.token(bytes: 20)
    modulus = primitives.modulus.base64URL
    exponent = primitives.publicExponent.base64URL
    keys = JWTKeyCollection()
    await keys.add(
      rsa: try Insecure.RSA.PrivateKey(backing: key), digestAlgorithm: .sha256,
      kid: JWKIdentifier(string: keyID))
  }

  /// Signs claims with RS256.
  func sign(_ claims: some JWTPayload) async throws -> String {
    try await keys.sign(claims, kid: JWKIdentifier(string: keyID))
  }

  /// The key set as served to clients (RFC 7517).
  func keySet(issuer: String) -> JSON {
    [
      "keys": [
        [
          "kty": "RSA", "use": "sig", "alg": "RS256", "kid": .string(keyID),
          "n": .string(modulus), "e": .string(exponent), "issuer": .string(issuer),
        ]
      ]
    ]
  }
}
