import Crypto
import CryptoExtras
import FoundationEssentials
import Sentences

/// The key that access tokens are bound to: 2048-bit RSA, as in MSAL.
///
/// Each account has its own key, so that APIs cannot see that two accounts are on the same
/// computer. It is stored with the account's tokens and deleted with them. It does not protect
/// against someone who can read the store, but against the theft of a token elsewhere, such as from
/// an API's log.
struct ProofKey: Sendable {
  /// The key ID: its thumbprint (RFC 7638).
  let id: String
  private let key: _RSA.Signing.PrivateKey
  private let modulus: String
  private let exponent: String

  /// Creates a new key.
  init() throws(AuthenticationError) {
    do {
      try self.init(_RSA.Signing.PrivateKey(keySize: .bits2048))
    } catch {
      throw AuthenticationError(
        .invalidParameter,
        Sentence("The key for proof of possession could not be created."))
    }
  }

  /// Parses what ``stored`` wrote; nil for anything else.
  init?(_ stored: Secret<Data>) {
    guard let key = try? _RSA.Signing.PrivateKey(derRepresentation: stored.exposed),
      let proofKey = try? Self(key)
    else { return nil }
    self = proofKey
  }

  private init(_ key: _RSA.Signing.PrivateKey) throws {
    let numbers = try key.publicKey.getKeyPrimitives()
    self.key = key
    modulus = Base64URL.encode(numbers.modulus)
    exponent = Base64URL.encode(numbers.publicExponent)
    let text = Self.jwk(modulus, exponent).compactText
    id = Base64URL.encode(SHA256.hash(data: Array(text.utf8)))
  }

  /// The key in the form for the store.
  var stored: Secret<Data> { Secret(key.derRepresentation) }

  /// The public key as a JWK (RFC 7518, section 6.3.1).
  var jwk: JSON { Self.jwk(modulus, exponent) }

  /// The `req_cnf` of a token request: the key that the token is to be bound to.
  var confirmation: String {
    let confirmation: JSON = ["kid": .string(id)]
    return Base64URL.encode(confirmation.compactText.utf8)
  }

  /// The RS256 signature of `text` (RFC 7518, section 3.3).
  ///
  /// A key that was created or parsed can sign. If it fails, the signature is empty, which no API
  /// accepts.
  func signature(of text: String) -> Data {
    let signature = try? key.signature(
      for: SHA256.hash(data: Array(text.utf8)), padding: .insecurePKCS1v1_5)
    return signature?.rawRepresentation ?? Data()
  }

  /// The members that the thumbprint covers, in the required order (RFC 7638, section 3.2).
  private static func jwk(_ modulus: String, _ exponent: String) -> JSON {
    ["e": .string(exponent), "kty": "RSA", "n": .string(modulus)]
  }
}
