public import AuthCore
import Crypto
import CryptoExtras
import FoundationEssentials

/// A signed HTTP request as an API reads it: a separate implementation, with only swift-crypto and
/// RFC 7638.
public struct ProvenRequest: Sendable {
  /// The members of the header.
  public let header: [String: JSON]
  /// The claims.
  public let claims: [String: JSON]
  /// The thumbprint of its key.
  public let thumbprint: String

  /// Parses the value of an `Authorization` field; nil when it is not signed by its key.
  public init?(authorization: Secret<String>) {
    let words = authorization.exposed.split(separator: " ")
    guard words.count == 2, words[0] == "PoP" else { return nil }
    let parts = words[1].split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let header = Self.members(parts[0]),
      let claims = Self.members(parts[1]), let signature = Base64URL.decode(parts[2]),
      let jwk = claims["cnf"]?["jwk"], let n = jwk["n"]?.string, let e = jwk["e"]?.string,
      let modulus = Base64URL.decode(n), let exponent = Base64URL.decode(e),
      let key = try? _RSA.Signing.PublicKey(n: modulus, e: exponent),
      key.isValidSignature(
        _RSA.Signing.RSASignature(rawRepresentation: signature),
        for: SHA256.hash(data: Array("\(parts[0]).\(parts[1])".utf8)),
        padding: .insecurePKCS1v1_5)
    else { return nil }
    self.header = header
    self.claims = claims
    thumbprint = Self.thumbprint(n: n, e: e)
  }

  /// The thumbprint of an RSA key (RFC 7638, section 3).
  public static func thumbprint(n: String, e: String) -> String {
    let text = "{\"e\":\"" + e + "\",\"kty\":\"RSA\",\"n\":\"" + n + "\"}"
    return Base64URL.encode(SHA256.hash(data: Array(text.utf8)))
  }

  /// The key ID in the `req_cnf` of a token request; nil when it contains anything else.
  public static func keyID(confirmation: String) -> String? {
    let text = Base64URL.decode(confirmation).map { String(decoding: $0, as: UTF8.self) } ?? ""
    guard text.hasPrefix("{\"kid\":\""), text.hasSuffix("\"}") else { return nil }
    return String(text.dropFirst(8).dropLast(2))
  }

  private static func members(_ part: Substring) -> [String: JSON]? {
    guard let data = Base64URL.decode(part), let members = try? JSON(parsing: data).object else {
      return nil
    }
    return Dictionary(uniqueKeysWithValues: members.map { ($0.name, $0.value) })
  }
}
