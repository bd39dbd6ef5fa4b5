import Crypto
import CryptoExtras
import FoundationEssentials

/// A request signed with the key of its token (draft-ietf-oauth-signed-http-request-03), in MSAL's
/// format.
struct SignedRequest: Sendable {
  /// The access token.
  let accessToken: String
  /// The thumbprint of the key that signed.
  let keyID: String
  private let claims: Claims

  /// How long before and after its time a proof is accepted.
  static let lifetime: TimeInterval = 300

  private struct Header: Decodable {
    let alg, typ, kid: String
  }

  private struct Claims: Decodable {
    let at, m, u, p: String
    let ts: Int
    let cnf: Confirmation
  }

  private struct Confirmation: Decodable {
    let jwk: Key
  }

  private struct Key: Decodable {
    let kty, n, e: String

    /// The thumbprint (RFC 7638, section 3).
    var thumbprint: String {
      let text = JSON.object([("e", .string(e)), ("kty", .string(kty)), ("n", .string(n))]).text
      return Data(SHA256.hash(data: Data(text.utf8))).base64URL
    }

    func verifies(_ signature: Data, of text: String) -> Bool {
      guard kty == "RSA", let modulus = Data(base64URL: n), let exponent = Data(base64URL: e),
        let key = try? _RSA.Signing.PublicKey(n: modulus, e: exponent)
      else { return false }
      return key.isValidSignature(
        _RSA.Signing.RSASignature(rawRepresentation: signature), for: Data(text.utf8),
        padding: .insecurePKCS1v1_5)
    }
  }

  /// Parses a proof; nil when it is not signed with its key.
  init?(_ text: some StringProtocol) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let header: Header = Self.read(parts[0]),
      let claims: Claims = Self.read(parts[1]), let signature = Data(base64URL: parts[2]),
      header.alg == "RS256", header.typ == "pop", header.kid == claims.cnf.jwk.thumbprint,
      claims.cnf.jwk.verifies(signature, of: "\(parts[0]).\(parts[1])")
    else { return nil }
    accessToken = claims.at
    keyID = header.kid
    self.claims = claims
  }

  /// Whether it is for this request at this time.
  func isFor(_ method: String, host: String, path: String, at date: Date) -> Bool {
    claims.m == method && claims.u == host && claims.p == path
      && abs(date.timeIntervalSince1970 - Double(claims.ts)) <= Self.lifetime
  }

  private static func read<Value: Decodable>(_ part: some StringProtocol) -> Value? {
    Data(base64URL: part).flatMap { try? JSONDecoder().decode(Value.self, from: $0) }
  }
}
