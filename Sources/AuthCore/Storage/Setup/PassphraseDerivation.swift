import CryptoExtras
import FoundationEssentials
import Sentences

/// Derives a key from a passphrase with scrypt (RFC 7914).
///
/// scrypt returns 64 bytes. The first half is the key. The second half is stored to verify the
/// passphrase; it reveals nothing about the first.
///
/// ```
/// {"version": 1, "function": "scrypt", "n": 131072, "r": 8, "p": 1, "salt": "…", "check": "…"}
/// ```
struct PassphraseDerivation {
  private let n: Int
  private let r: Int
  private let p: Int
  private let salt: Data
  private let check: String

  /// Creates a derivation and its key for a new passphrase, with the parameters of OWASP's Password
  /// Storage Cheat Sheet: it takes 128 MiB.
  static func make(
    for passphrase: Secret<String>
  ) throws(AuthenticationError) -> (PassphraseDerivation, Secret<Data>) {
    var generator = SystemRandomNumberGenerator()
    let salt = Data((0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) })
    let unchecked = PassphraseDerivation(n: rounds, r: 8, p: 1, salt: salt, check: "")
    let (key, check) = try unchecked.derive(passphrase)
    return (PassphraseDerivation(n: unchecked.n, r: 8, p: 1, salt: salt, check: check), key)
  }

  /// scrypt's `n` of a new passphrase, which every version has written.
  private static let rounds = 1 << 17
  /// Twice the cost of a new passphrase, in bytes: another person's file must not take all the time
  /// and memory that there is.
  private static let largestCost = 2 * 128 * rounds * 8

  private init(n: Int, r: Int, p: Int, salt: Data, check: String) {
    self.n = n
    self.r = r
    self.p = p
    self.salt = salt
    self.check = check
  }

  /// Reads the text of the file; nil when it is malformed, or its parameters are too expensive.
  init?(_ text: [UInt8]) {
    guard let json = try? JSON(parsing: text), json["version"]?.integer == 1,
      json["function"]?.string == "scrypt", let n = json["n"]?.integer, (2...1 << 24).contains(n),
      n & (n - 1) == 0, let r = json["r"]?.integer, (1...64).contains(r),
      let p = json["p"]?.integer, (1...64).contains(p), 128 * n * r * p <= Self.largestCost,
      let salt = json["salt"]?.string.flatMap({ Base64URL.decode($0) }), salt.count >= 16,
      let check = json["check"]?.string, Base64URL.decode(check)?.count == 32
    else { return nil }
    self.init(n: n, r: r, p: p, salt: salt, check: check)
  }

  /// The text of the file.
  var text: String {
    let json: JSON = [
      "version": 1, "function": "scrypt", "n": .number("\(n)"), "r": .number("\(r)"),
      "p": .number("\(p)"), "salt": .string(Base64URL.encode(salt)), "check": .string(check),
    ]
    return json.prettyText + "\n"
  }

  /// The key for `passphrase`.
  func key(of passphrase: Secret<String>) throws(AuthenticationError) -> Secret<Data> {
    // scrypt accepts no empty passphrase, and none can be set.
    let derived = passphrase.exposed.isEmpty ? nil : try derive(passphrase)
    guard let derived, constantTimeEqual(derived.check, check) else {
      throw AuthenticationError(
        .wrongPassphrase,
        Sentence("This is not the passphrase that the accounts were encrypted with."),
        step: .storage)
    }
    return derived.key
  }

  private func derive(
    _ passphrase: Secret<String>
  ) throws(AuthenticationError) -> (key: Secret<Data>, check: String) {
    do {
      let bytes = try KDF.Scrypt.deriveKey(
        from: Data(passphrase.exposed.utf8), salt: salt, outputByteCount: 64, rounds: n,
        blockSize: r, parallelism: p
      ).withUnsafeBytes { Data($0) }
      return (Secret(bytes.prefix(32)), Base64URL.encode(bytes.suffix(32)))
    } catch {
      throw AuthenticationError(
        .storageUnavailable,
        Sentence("There is not enough memory to derive a key from the passphrase."),
        step: .storage)
    }
  }
}
