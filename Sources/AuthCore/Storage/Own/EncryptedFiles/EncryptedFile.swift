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
  /// The beginning of each file; it identifies this key without revealing anything about it.
  private let header: Data
  /// A file without contents, which tells a program that it is too old for its directory: it opens
  /// only the version of ``header``, and leaves a later one alone.
  let marker: Data

  private static let magic = Data("entrance".utf8)
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
    let keyID = Data(code.prefix(Self.keyIDSize))
    (header, marker) = (Self.header(1, keyID), Self.header(2, keyID))
  }

  func seal(_ contents: Data, name: String) -> [UInt8] {
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
    guard start == header else {
      if start == marker { return .marker }
      guard start.count == Self.headerSize, start.starts(with: Self.magic),
        Self.check(of: start.dropLast(Self.checkSize)) == start.suffix(Self.checkSize)
      else { return .damaged }
      return 1...2 ~= start[Self.magic.count] ? .otherKey : .newer
    }
    guard let box = try? ChaChaPoly.SealedBox(combined: data.dropFirst(Self.headerSize)),
      let contents = try? ChaChaPoly.open(
        box, using: key, authenticating: start + Data(name.utf8))
    else { return .damaged }
    return .opened(contents)
  }

  /// The number of characters of a name.
  static let nameSize = 22

  /// A name that only this key can make from `text`, and that tells nothing about it.
  func name(for text: String) -> String {
    let code = HMAC<SHA256>.authenticationCode(for: Data("name of \(text)".utf8), using: key)
    return Base64URL.encode(Array(code.prefix(Self.keyIDSize)))
  }

  private static func header(_ version: UInt8, _ keyID: Data) -> Data {
    let start = magic + [version] + keyID
    return start + check(of: start)
  }

  /// A checksum, which tells another key or version from a damaged header.
  private static func check(of header: Data) -> Data {
    Data(SHA256.hash(data: header).prefix(checkSize))
  }
}
