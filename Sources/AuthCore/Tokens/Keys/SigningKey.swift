import JWTKit

/// A key that an authority signs ID tokens with (RFC 7517, section 4).
struct SigningKey: Sendable {
  /// The key ID (`kid`).
  let id: String?
  private let type: String
  private let curve: String?
  /// The only algorithm that the key is for; nil when it does not say.
  private let algorithm: String?
  /// The issuer whose tokens it signs, in an authority for several tenants: a Microsoft extension.
  private let issuer: String?
  private let parameters: Parameters

  private enum Parameters: Sendable {
    case rsa(modulus: String, exponent: String)
    case point(x: String, y: String?)
  }

  /// Parses a key; nil when it is not a signature key, or its type is not supported.
  ///
  /// Such keys are ignored (RFC 7517, section 5).
  init?(_ json: JSON) {
    func text(_ name: String) -> String? { json[name]?.string }
    func number(_ name: String) -> String? {
      text(name).flatMap { Base64URL.decode($0) == nil ? nil : $0 }
    }
    guard let type = text("kty"), json.optional("use") == nil || text("use") == "sig",
      json.optional("key_ops") == nil
        || json["key_ops"]?.array?.contains(.string("verify")) == true
    else { return nil }
    switch type {
    case "RSA":
      guard let modulus = number("n"), let exponent = number("e") else { return nil }
      parameters = .rsa(modulus: modulus, exponent: exponent)
    case "EC":
      guard let x = number("x"), let y = number("y") else { return nil }
      parameters = .point(x: x, y: y)
    case "OKP":
      guard let x = number("x") else { return nil }
      parameters = .point(x: x, y: nil)
    default: return nil
    }
    self.type = type
    id = text("kid")
    curve = text("crv")
    algorithm = text("alg")
    issuer = text("issuer")
  }

  /// Whether the key can have made the signature of `token`.
  ///
  /// A key for another algorithm or another issuer is never used.
  func fits(_ token: IDToken) -> Bool {
    let needed = token.algorithm.keyType
    guard type == needed.type, needed.curve == nil || curve == needed.curve,
      algorithm == nil || algorithm == token.algorithm.rawValue
    else { return false }
    guard let issuer else { return true }
    return token["iss"] == issuer.replacing("{tenantid}", with: token["tid"] ?? "")
  }

  /// Whether the key made the signature of `token`.
  func verifies(_ token: IDToken) async -> Bool {
    let algorithm = token.algorithm.jwk
    let id = JWKIdentifier(string: id ?? "")
    let jwk: JWK =
      switch parameters {
      case .rsa(let modulus, let exponent):
        .rsa(algorithm, identifier: id, modulus: modulus, exponent: exponent)
      case .point(let x, let y?): .ecdsa(algorithm, identifier: id, x: x, y: y, curve: nil)
      case .point(let x, nil):
        .octetKeyPair(algorithm, identifier: id, x: x, y: nil, curve: .ed25519)
      }
    do {
      // Only one key: for an unknown `kid`, JWTKit would try its default key.
      let keys = try await JWTKeyCollection().add(jwk: jwk)
      _ = try await keys.verify(token.text.exposed, as: NoClaims.self)
      return true
    } catch {
      return false
    }
  }

  /// Lets JWTKit check only the signature; ``IDToken`` checks the claims.
  private struct NoClaims: JWTPayload {
    func verify(using algorithm: some JWTAlgorithm) {}
  }
}
