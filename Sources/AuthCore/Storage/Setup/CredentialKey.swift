import FoundationEssentials
import Glibc
import Sentences

/// A key from the service manager: a systemd credential.
///
/// The file contains the 32 bytes of the key, or their base64 text.
struct CredentialKey: Sendable {
  /// The name of the credential.
  static let name = "entrance.store-key"

  let path: String

  /// The credential in `directory`, which the service manager names in `CREDENTIALS_DIRECTORY`.
  ///
  /// Nil when there is no such credential.
  init?(in directory: String?) {
    // A relative path would depend on the current directory.
    guard let directory, directory.hasPrefix("/") else { return nil }
    path = "\(directory)/\(Self.name)"
    guard access(path, F_OK) == 0 else { return nil }
  }

  /// Reads the key.
  func read() throws(StorageFailure) -> Secret<Data> {
    let file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { throw .system(Sentence("it cannot be opened")) }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw .system(Sentence("it cannot be read")) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw StorageFailure(Sentence("it is not a regular file"))
    }
    // systemd grants a service access to root's file with an access control list, whose mask
    // appears as the group's permissions.
    let others: mode_t
    switch status.st_uid {
    case geteuid(): others = 0o077
    case 0: others = 0o037
    default: throw StorageFailure(Sentence("it belongs to another user"))
    }
    guard status.st_mode & others == 0 else {
      throw StorageFailure(Sentence("others can read or write it"))
    }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = Glibc.read(file, &bytes, bytes.count)
    guard count >= 0 else { throw .system(Sentence("it cannot be read")) }
    guard let key = Self.key(bytes[..<count]) else {
      throw StorageFailure(Sentence("it contains neither 32 bytes nor the base64 text of 32 bytes"))
    }
    return key
  }

  /// The key in the contents of a file; nil when it is none.
  static func key(_ bytes: ArraySlice<UInt8>) -> Secret<Data>? {
    if bytes.count == 32 { return Secret(Data(bytes)) }
    let text = bytes.filter { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    guard let key = Data(base64Encoded: Data(text)), key.count == 32 else { return nil }
    return Secret(key)
  }
}
