import Crypto
import FoundationEssentials
import SwiftASN1
import X509

/// A server's certificate for TLS.
struct ServerCertificate {
  /// The certificate in PEM.
  let pem: String
  /// Its private key in PEM.
  let keyPEM: String
}

/// A certificate authority for one run of the emulator, and the server certificate that it signed.
///
/// The private keys exist only in memory. Clients get the CA's certificate as a file, and trust it
/// only for connections to the emulator.
struct CertificateAuthority {
  /// The certificate of the CA in PEM.
  let certificatePEM: String
  /// A certificate for `localhost`, `127.0.0.1` and `::1`.
  let server: ServerCertificate

  /// Creates both.
  ///
  /// - Parameter hostNames: more names of the server.
  init(hostNames: [String] = []) throws {
    let now = Date()
    let validity = (from: now.addingTimeInterval(-3600), to: now.addingTimeInterval(30 * 86400))
    let authorityKey = Certificate.PrivateKey(P256.Signing.PrivateKey())
    let authorityName = try DistinguishedName { CommonName("Identity Emulator CA") }
    let authority = try Certificate(
      version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: authorityKey.publicKey,
      notValidBefore: validity.from, notValidAfter: validity.to,
      issuer: authorityName, subject: authorityName, signatureAlgorithm: .ecdsaWithSHA256,
      extensions: try Certificate.Extensions {
        Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
        Critical(KeyUsage(keyCertSign: true, cRLSign: true))
        SubjectKeyIdentifier(hash: authorityKey.publicKey)
      },
      issuerPrivateKey: authorityKey)

    let serverKey = P256.Signing.PrivateKey()
    let serverPublicKey = Certificate.PublicKey(serverKey.publicKey)
    let server = try Certificate(
      version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: serverPublicKey,
      notValidBefore: validity.from, notValidAfter: validity.to,
      issuer: authorityName, subject: try DistinguishedName { CommonName("localhost") },
      signatureAlgorithm: .ecdsaWithSHA256,
      extensions: try Certificate.Extensions {
        Critical(BasicConstraints.notCertificateAuthority)
        Critical(KeyUsage(digitalSignature: true))
        try ExtendedKeyUsage([.serverAuth])
        SubjectAlternativeNames(
          hostNames.map { .dnsName($0) } + [
            .dnsName("localhost"),
            .ipAddress(ASN1OctetString(contentBytes: [127, 0, 0, 1])),
            .ipAddress(
              ASN1OctetString(contentBytes: ArraySlice([UInt8](repeating: 0, count: 15) + [1]))),
          ])
        SubjectKeyIdentifier(hash: serverPublicKey)
        AuthorityKeyIdentifier(
          keyIdentifier: SubjectKeyIdentifier(hash: authorityKey.publicKey).keyIdentifier)
      },
      issuerPrivateKey: authorityKey)

    certificatePEM = try authority.serializeAsPEM().pemString + "\n"
    self.server = ServerCertificate(
      pem: try server.serializeAsPEM().pemString, keyPEM: serverKey.pemRepresentation)
  }
}
