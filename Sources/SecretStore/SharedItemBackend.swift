import AuthCore
import Sentences

/// A keyring item as the backend of a shared token cache.
final class SharedItemBackend: SharedBackend {
  private let item: SharedKeyringItem
  private let access: KeyringQueue

  init(_ item: SharedKeyringItem, asksPerson: Bool = true) {
    self.item = item
    access = KeyringQueue("shared-keyring-item", asksPerson: asksPerson)
  }

  var name: Sentence {
    Sentence("token cache “{name}” in the keyring", ["name": item.schema])
  }
  var path: String { item.signalFile }
  var isItsOwnSignal: Bool { false }

  func allowAskingAgain() { access.allowAskingAgain() }

  func open() async throws(StorageFailure) {
    do throws(SecretServiceFailure) {
      try await access.run { [item] (session) throws(SecretServiceFailure) in
        try session.open(item)
      }
    } catch {
      throw StorageFailure(error.reason)
    }
  }

  func read() throws(StorageFailure) -> (bytes: [UInt8], stamp: FileStamp?)? {
    // Read before the item, so that a change in between is detected.
    let stamp = FileStamp(path: path)
    let found = try perform { (session) throws(SecretServiceFailure) in
      try session.find(self.item)?.secret.exposed
    }
    return found.map { (SharedKeyringItem.Encoding.read($0).bytes, stamp) }
  }

  func write(_ bytes: [UInt8]) throws(StorageFailure) -> FileStamp? {
    try perform { (session) throws(SecretServiceFailure) in
      if let (found, secret) = try session.find(self.item) {
        let encoding =
          SharedKeyringItem.Encoding.read(secret.exposed).encoding ?? self.item.encoding
        try session.replace(Secret(encoding.write(bytes)), in: found)
      } else {
        try session.create(self.item, Secret(self.item.encoding.write(bytes)))
      }
    }
    return try PrivateFile(path: path).touch()
  }

  func keepCopy(of bytes: [UInt8]) throws(StorageFailure) {
    // The content is not copied to a file, because that would be unencrypted.
    throw StorageFailure(Sentence("its content is not a token cache and was not changed"))
  }

  /// Runs `work`, which may ask the user.
  private func perform<Value>(
    _ work: (SecretServiceSession) throws(SecretServiceFailure) -> Value
  ) throws(StorageFailure) -> Value {
    do {
      return try access.blocking(work)
    } catch {
      throw StorageFailure(error.reason)
    }
  }
}
