import Crypto
import CryptoExtras
import FoundationEssentials
import SwiftASN1
import X509

/// The public half of a signing key, in the form that the emulator publishes.
struct PublishedKey: Sendable {
  /// The key ID in the header of tokens and in the key set.
  let keyID: String
  private let modulus: String
  private let exponent: String

  init(_ key: _RSA.Signing.PublicKey, keyID: String) throws {
    let primitives = try key.getKeyPrimitives()
    self.keyID = keyID
    modulus = primitives.modulus.base64URL
    exponent = primitives.publicExponent.base64URL
  }

  /// The key as a JSON Web Key (RFC 7517, section 4).
  var json: JSON {
    [
      "kty": "RSA", "use": "sig", "kid": .string(keyID), "n": .string(modulus),
      "e": .string(exponent),
    ]
  }

  /// The key as Microsoft publishes it, with its certificate and without `alg`.
  func json(certificate: String, issuer: String) -> JSON {
    var json = json
    json["x5t"] = .string(keyID)
    json["x5c"] = [.string(certificate)]
    json["cloud_instance_name"] = "microsoftonline.com"
    json["issuer"] = .string(issuer)
    return json
  }

  /// The key that Microsoft's services would sign with next.
  ///
  /// Nobody has its private half. It is constant, because making a key takes longer than everything
  /// else at the start.
  static func next(issuer: String) throws -> JSON {
    let der = Data(base64Encoded: nextCertificate) ?? Data()
    let certificate = try Certificate(derEncoded: Array(der))
    let key = try _RSA.Signing.PublicKey(
      derRepresentation: certificate.publicKey.subjectPublicKeyInfoBytes)
    return try PublishedKey(key, keyID: "next-signing-key")
      .json(certificate: nextCertificate, issuer: issuer)
  }

  private static let nextCertificate = """
    MIIDPTCCAiWgAwIBAgIUJyPiPjZnPxjoBH/K9SIYzdnRX7YwDQYJKoZIhvcNAQELBQAwLTErMCkG\
    A1UEAwwiYWNjb3VudHMuYWNjZXNzY29udHJvbC53aW5kb3dzLm5ldDAgFw0yNjExMjkxNDI0MzZa\
    GA8yMTI2MTEwNTE0MjQzNlowLTErMCkGA1UEAwwiYWNjb3VudHMuYWNjZXNzY29udHJvbC53aW5k\
    b3dzLm5ldDCCASIwDQYJKoZIhvcNAQEBBQADggEPADCCAQoCggEBAKg9TW82qYoN1xQJNHMzt9Ab\
    Zcygj5uG72Snx8wGRYMxhtD3dftZeUa6MO23C7R5ronlWHwl2CxCTkLj4Ob4lR4xQQ1fDitzr6n0\
    tH/prXrjicHy15JFKjAml6ZYsNf8CrKGx9SBMu9dydKG6hM3+S02u/H3z7eh5kvJzVoYqjsRTkEB\
    oTV+La7rD7mqrsaRDm7DczlUbwpGxHCW6NKEQD5jaNNthTU3CDR0QhYh2ZRzB/yz59BCw+N4dMOe\
    e+D037Pzbi3P2jUUGYNj4eZICB+o/rgez034hYVbszItEsPkFPoN6w2dpZKmO1Uot011SdGixMaF\
    2YwZ9kiBwFgLOj8CAwEAAaNTMFEwHQYDVR0OBBYEFNEpbe8qnXTLsNvjVWUL77OLt6XHMB8GA1Ud\
    IwQYMBaAFNEpbe8qnXTLsNvjVWUL77OLt6XHMA8GA1UdEwEB/wQFMAMBAf8wDQYJKoZIhvcNAQEL\
    BQADggEBAFKRNWY/FoIiGP2LLIl+52r0Q0Cko2TTm4MpYJ5RJlPQWp98M95SRhQsGHKM98KLitS1\
    tbXc80NGSliH7op5wHGQc2/nF4JwgQvYuEGyqCxKUoKgqXkbgp/2uh9UFIaBz8OFdXbxSl54IdcG\
    ZVb55Hh3HjBimzSbKTSO7E1t68M3sMQPRTRViWw2H+jpcz3BVAt9boI8525gPl4jY0OVmic7dtND\
    cgsRw6/JCNBG6bz3Sq4BgDmU5KeNL12J7zwSn9XnWzne61pDQt4D04YPv2qOz8u9g1iMjqiwtoZA\
    qz30G7DFpNwJhfcayxc5B+wxRqQQQRoPzN5qi0ij1aqb380=
    """
}
