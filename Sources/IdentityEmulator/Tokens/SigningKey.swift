import Crypto
import CryptoExtras
import FoundationEssentials

/// The RSA key that signs tokens.
///
/// It is created at startup and never leaves the process.
struct SigningKey: Sendable {
  /// The key ID in the header of tokens and in the key set.
  let keyID: String
  private let key: _RSA.Signing.PrivateKey
  private let modulus: String
  private let exponent: String

  init() throws {
    key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
    let primitives = try key.publicKey.getKeyPrimitives()
    keyID = Random.token(bytes: 20)
    modulus = primitives.modulus.base64URL
    exponent = primitives.publicExponent.base64URL
  }

  /// Makes a JWT of `claims`, signed with RS256 (RFC 7515, section 3.1; RFC 7518, section 3.3).
  func sign(_ claims: JSON, faults: Set<Fault> = []) throws -> String {
    var header: JSON = ["alg": "RS256", "typ": "JWT", "kid": .string(keyID)]
    faults.edit(\.tokenHeader, &header)
    let text = [header, claims].map { Data($0.text.utf8).base64URL }.joined(separator: ".")
    let signature = try key.signature(for: Data(text.utf8), padding: .insecurePKCS1v1_5)
    let edited = faults.edited(
      \.signature,
      .init(
        bytes: signature.rawRepresentation, text: text,
        publicKey: key.publicKey.pemRepresentation))
    return "\(text).\(edited.bytes.base64URL)"
  }

  /// The key set as served to clients (RFC 7517).
  func keySet(issuer: String?) -> JSON {
    var key: JSON = [
      "kty": "RSA", "use": "sig", "alg": "RS256", "kid": .string(keyID),
      "n": .string(modulus), "e": .string(exponent),
    ]
    key["issuer"] = issuer.map(JSON.string)
    return ["keys": [key]]
  }
}
