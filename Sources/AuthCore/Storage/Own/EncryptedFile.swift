import Crypto
import FoundationEssentials
import Sentences

/// The format of an encrypted file, with its key.
///
/// A file has a plaintext header, followed by the contents encrypted with ChaCha20-Poly1305 (RFC
/// 8439). The header identifies the key, so that a wrong key is not mistaken for a damaged file.
/// The file's name and the header are authenticated too, so that a renamed file is invalid.
struct EncryptedFile: Sendable {
  private let key: SymmetricKey
  /// Identifies this key without revealing anything about it.
  private let keyID: Data

  private static let magic = Data("entrance".utf8)
  private static let version: UInt8 = 1
  /// The version of ``marker``: programs before it open only ``version``, and leave a later one
  /// alone.
  private static let markerVersion: UInt8 = 2
  private static let keyIDSize = 16
  private static let checkSize = 8
  private static let headerSize = magic.count + 1 + keyIDSize + checkSize

  /// The result of decrypting a file.
  enum Contents {
    case opened(Data)
    /// Not decryptable.
    case damaged
    case otherKey
    /// The ``EncryptedFile/marker``.
    case marker
    /// A newer format, from a later version of the program.
    case newer
    /// The file was not read, for this reason.
    case refused(Sentence)
  }

  init(key: Secret<Data>) {
    self.key = SymmetricKey(data: key.exposed)
    let code = HMAC<SHA256>.authenticationCode(for: Data("entrance key ID".utf8), using: self.key)
    keyID = Data(code.prefix(Self.keyIDSize))
  }

  func seal(_ contents: Data, name: String) -> [UInt8] {
    let header = header(Self.version)
    // This fails only for a nonce of the wrong size.
    guard
      let box = try? ChaChaPoly.seal(
        contents, using: key, authenticating: header + Data(name.utf8))
    else { preconditionFailure("ChaChaPoly does not seal") }
    return Array(header) + Array(box.combined)
  }

  func open(_ bytes: [UInt8], name: String) -> Contents {
    let data = Data(bytes)
    let start = data.prefix(Self.headerSize)
    guard start.count == Self.headerSize, start.starts(with: Self.magic),
      Self.check(of: start.dropLast(Self.checkSize)) == start.suffix(Self.checkSize)
    else { return .damaged }
    let version = start[Self.magic.count]
    guard version <= Self.markerVersion else { return .newer }
    guard start == header(version) else { return .otherKey }
    if version == Self.markerVersion { return .marker }
    guard let box = try? ChaChaPoly.SealedBox(combined: data.dropFirst(Self.headerSize)),
      let contents = try? ChaChaPoly.open(
        box, using: key, authenticating: start + Data(name.utf8))
    else { return .damaged }
    return .opened(contents)
  }

  /// A file without contents, which tells a program that it is too old for its directory.
  var marker: [UInt8] { Array(header(Self.markerVersion)) }

  /// A name that only this key can make from `text`, and that tells nothing about it.
  func name(for text: String) -> String {
    let code = HMAC<SHA256>.authenticationCode(for: Data("name of \(text)".utf8), using: key)
    return Base64URL.encode(Array(code.prefix(Self.keyIDSize)))
  }

  /// Whether `text` has the form of a ``name(for:)``.
  static func isName(_ text: Substring) -> Bool { Base64URL.decode(text)?.count == keyIDSize }

  private func header(_ version: UInt8) -> Data {
    let start = Self.magic + [version] + keyID
    return start + Self.check(of: start)
  }

  /// A checksum, which tells another key or version from a damaged header.
  private static func check(of header: Data) -> Data {
    Data(SHA256.hash(data: header).prefix(checkSize))
  }
}
