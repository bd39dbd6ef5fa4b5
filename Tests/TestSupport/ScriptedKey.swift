public import AuthCore
import Crypto
import CryptoExtras
import FoundationEssentials

/// A key that signs ID tokens, made with swift-crypto, independent of the tested code.
public struct ScriptedKey: Sendable {
  /// Its ID (`kid`).
  public let id: String
  /// Its algorithms (`alg`); the first is the default.
  public let algorithms: [String]
  /// Its public key as a JWK (RFC 7517).
  public let jwk: [String: JSON]
  private let sign: @Sendable (_ text: [UInt8], _ algorithm: String) throws -> Data

  /// The default key of all authorities.
  public static let first = rsa("key-1")
  /// The key after a key rollover.
  public static let second = rsa("key-2")

  /// An RSA key with 2048 bits, for RS256 and PS256.
  public static func rsa(_ id: String) -> ScriptedKey {
    guard let key = try? _RSA.Signing.PrivateKey(keySize: .bits2048),
      let numbers = try? key.publicKey.getKeyPrimitives()
    else { preconditionFailure("swift-crypto makes no RSA key") }
    return ScriptedKey(
      id: id, algorithms: ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"],
      jwk: [
        "kty": .string("RSA"), "use": .string("sig"), "kid": .string(id),
        "n": .string(Base64URL.encode(numbers.modulus)),
        "e": .string(Base64URL.encode(numbers.publicExponent)),
      ]
    ) { text, algorithm in
      let padding: _RSA.Signing.Padding = algorithm.hasPrefix("PS") ? .PSS : .insecurePKCS1v1_5
      return switch algorithm.suffix(3) {
      case "384":
        try key.signature(for: SHA384.hash(data: text), padding: padding).rawRepresentation
      case "512":
        try key.signature(for: SHA512.hash(data: text), padding: padding).rawRepresentation
      default:
        try key.signature(for: SHA256.hash(data: text), padding: padding).rawRepresentation
      }
    }
  }

  /// An elliptic curve key: ES256, ES384, ES512, EdDSA or Ed25519.
  public static func curve(_ algorithm: String, id: String) -> ScriptedKey {
    func key(
      _ type: String, _ curve: String, _ coordinates: [Data],
      sign: @escaping @Sendable ([UInt8]) throws -> Data
    ) -> ScriptedKey {
      var jwk: [String: JSON] = [
        "kty": .string(type), "crv": .string(curve), "kid": .string(id), "alg": .string(algorithm),
      ]
      for (name, value) in zip(["x", "y"], coordinates) {
        jwk[name] = .string(Base64URL.encode(value))
      }
      return ScriptedKey(id: id, algorithms: [algorithm], jwk: jwk) { text, _ in try sign(text) }
    }
    func halves(_ point: Data) -> [Data] {
      [point.prefix(point.count / 2), point.suffix(point.count / 2)]
    }
    switch algorithm {
    case "ES256":
      let secret = P256.Signing.PrivateKey()
      return key("EC", "P-256", halves(secret.publicKey.rawRepresentation)) {
        try secret.signature(for: $0).rawRepresentation
      }
    case "ES384":
      let secret = P384.Signing.PrivateKey()
      return key("EC", "P-384", halves(secret.publicKey.rawRepresentation)) {
        try secret.signature(for: $0).rawRepresentation
      }
    case "ES512":
      let secret = P521.Signing.PrivateKey()
      return key("EC", "P-521", halves(secret.publicKey.rawRepresentation)) {
        try secret.signature(for: $0).rawRepresentation
      }
    default:
      let secret = Curve25519.Signing.PrivateKey()
      return key("OKP", "Ed25519", [secret.publicKey.rawRepresentation]) {
        try secret.signature(for: $0)
      }
    }
  }

  private init(
    id: String, algorithms: [String], jwk: [String: JSON],
    sign: @escaping @Sendable ([UInt8], String) throws -> Data
  ) {
    self.id = id
    self.algorithms = algorithms
    self.jwk = jwk
    self.sign = sign
  }

  /// A JWT in compact form (RFC 7515, section 3.1), signed with the header's algorithm if the key
  /// supports it.
  public func jwt(_ header: [String: JSON], _ claims: [String: JSON]) -> String {
    let text = [header, claims]
      .map { Base64URL.encode(JSON.object($0).compactText.utf8) }.joined(separator: ".")
    let signature = try? sign(Array(text.utf8), header["alg"]?.string ?? "")
    return text + "." + Base64URL.encode(signature ?? Data([0]))
  }
}
