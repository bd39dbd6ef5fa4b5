import Crypto
import CryptoExtras
import FoundationEssentials
import SwiftASN1
import X509

/// The RSA key that signs tokens.
///
/// It is created at startup and never leaves the process.
struct SigningKey: Sendable {
  /// The key ID in the header of tokens and in the key set.
  let keyID: String
  private let key: _RSA.Signing.PrivateKey
  private let published: PublishedKey

  init() throws {
    key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
    keyID = Random.token(bytes: 20)
    published = try PublishedKey(key.publicKey, keyID: keyID)
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
  ///
  /// Like Microsoft's, it has more keys than the one in use, with their certificates and without
  /// `alg`.
  ///
  /// - Parameter issuer: the issuer of Microsoft's keys; nil for another provider's.
  func keySet(issuer: String?) throws -> JSON {
    guard let issuer else {
      var key = published.json
      key["alg"] = "RS256"
      return ["keys": [key]]
    }
    let certificate = try certificate().base64EncodedString()
    return [
      "keys": [
        try PublishedKey.next(issuer: issuer),
        published.json(certificate: certificate, issuer: issuer),
      ]
    ]
  }

  /// The certificate of the key, in DER.
  private func certificate() throws -> Data {
    let name = try DistinguishedName { CommonName("accounts.accesscontrol.windows.net") }
    let key = try Certificate.PrivateKey(pemEncoded: key.pemRepresentation)
    let certificate = try Certificate(
      version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: key.publicKey,
      notValidBefore: Date(timeIntervalSinceNow: -86_400),
      notValidAfter: Date(timeIntervalSinceNow: 5 * 365 * 86_400), issuer: name, subject: name,
      signatureAlgorithm: .sha256WithRSAEncryption, extensions: try Certificate.Extensions {},
      issuerPrivateKey: key)
    var serializer = DER.Serializer()
    try serializer.serialize(certificate)
    return Data(serializer.serializedBytes)
  }
}
