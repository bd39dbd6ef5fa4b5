import CurlHTTP
import Dispatch
import FoundationEssentials
import Sentences

/// A key derived from a passphrase, and the file with the derivation's parameters.
///
/// The file is written with the first passphrase. As long as nothing has been encrypted with that, as
/// after a sign-in that was canceled, another passphrase replaces it; then it is never overwritten.
struct PassphraseKey: Sendable {
  private let file: PrivateFile
  /// The directory that also has the directory of the encrypted files.
  private let directory: String
  /// The directory of the encrypted files.
  private let accounts: String

  private static let queue = DispatchQueue(label: "passphrase")

  /// The minimum length of a new passphrase, as in NIST SP 800-63B.
  static let minimumLength = 8

  /// The key whose file is in `directory`, beside the directory `accounts` of the encrypted files.
  init(in directory: String, for accounts: String) {
    self.directory = directory
    self.accounts = accounts
    file = PrivateFile(path: "\(directory)/passphrase.json", limit: FileReader.Limit.small)
  }

  /// Whether a passphrase has been set.
  var isSet: Bool { file.stamp != nil }

  /// Whether nothing has been encrypted; nil when the directory of the files cannot be read.
  var isUnused: Bool? { try? EncryptedFileBackend.hasKeptNothing(in: accounts) }

  /// Why what has been encrypted cannot be read when no passphrase is set.
  var missing: AuthenticationError {
    AuthenticationError(
      .storageUnavailable,
      Sentence(
        "The accounts in “{path}” were encrypted with a key that is not available: there is neither"
          + " “{file}”, which belongs to the passphrase, nor the key of a service. Restore it, or run"
          + " 'mv \"{directory}\" \"{directory}.old\"' and sign in again.",
        ["path": accounts, "file": file.path, "directory": directory]),
      step: .storage)
  }

  /// The derivation of a passphrase with which nothing has been encrypted; nil when there is none.
  var unused: PassphraseDerivation? {
    guard isUnused == true else { return nil }
    return try? read()
  }

  /// Why no passphrase can be checked with the file; nil when one can, or none is set.
  var problem: AuthenticationError? {
    do throws(AuthenticationError) {
      _ = try read()
      return nil
    } catch {
      return error
    }
  }

  /// The key for `passphrase`; sets the passphrase if none is set.
  ///
  /// It takes the better part of a second, on another thread.
  /// - Parameter unused: the derivation of an earlier passphrase that this one may replace, as long as
  ///   nothing has been encrypted with it.
  /// - Throws: ``AuthenticationError`` with code ``AuthenticationError/Code/wrongPassphrase``
  ///   when the passphrase is wrong.
  func key(
    of passphrase: Secret<String>, replacing unused: PassphraseDerivation? = nil
  ) async throws(AuthenticationError) -> (key: Secret<Data>, derivation: PassphraseDerivation) {
    if let derivation = try read() {
      do throws(AuthenticationError) {
        let key = try await Self.queue.run { () throws(AuthenticationError) in
          try derivation.key(of: passphrase)
        }
        return (key, derivation)
      } catch {
        guard error.code == .wrongPassphrase, derivation.text == unused?.text else { throw error }
      }
    }
    guard passphrase.exposed.count >= Self.minimumLength else {
      throw AuthenticationError(
        .invalidParameter,
        Sentence(
          "The passphrase is too short. Use at least {count} characters.",
          ["count": Self.minimumLength]),
        step: .storage)
    }
    let (derivation, key) = try await Self.queue.run { () throws(AuthenticationError) in
      try PassphraseDerivation.make(for: passphrase)
    }
    do throws(StorageFailure) {
      let lock = try await FileLock.take(
        "passphrase", in: "\(file.path).lock", timeout: .seconds(5))
      defer { withExtendedLifetime(lock) {} }
      let text = Array(derivation.text.utf8)
      if !isSet {
        _ = try file.write(text)
        return (key, derivation)
      }
      if let unused, try await replace(unused, by: text) { return (key, derivation) }
    } catch {
      throw failure(error)
    }
    // Another program was first.
    return try await self.key(of: passphrase)
  }

  /// Replaces the derivation of a passphrase with which nothing has been encrypted.
  ///
  /// Whoever is about to encrypt with it waits, and sees then that it is another one (``check(_:)``).
  /// - Returns: false when something has, or it has been replaced already.
  private func replace(
    _ unused: PassphraseDerivation, by text: [UInt8]
  ) async throws(StorageFailure) -> Bool {
    let lock = try await RecordStore.takeLock(
      at: EncryptedFileBackend.lockPath(in: accounts))
    defer { withExtendedLifetime(lock) {} }
    guard try EncryptedFileBackend.hasKeptNothing(in: accounts),
      let (bytes, _) = try file.read(), PassphraseDerivation(bytes)?.text == unused.text
    else { return false }
    _ = try file.write(text, replacing: true)
    return true
  }

  /// Sees whether `derivation` is still that of the passphrase, before the first account is encrypted.
  func check(_ derivation: PassphraseDerivation) throws(StorageFailure) {
    guard let (bytes, _) = try file.read(), PassphraseDerivation(bytes)?.text == derivation.text
    else {
      throw StorageFailure(Sentence("another passphrase has been set meanwhile"))
    }
  }

  private func read() throws(AuthenticationError) -> PassphraseDerivation? {
    do throws(StorageFailure) {
      guard let (bytes, _) = try file.read() else { return nil }
      guard let derivation = PassphraseDerivation(bytes) else {
        throw StorageFailure(
          Sentence(
            "it is damaged or from a newer version, and the encrypted accounts cannot be read"
              + " without it; restore a copy of it, or run 'mv \"{directory}\" \"{directory}.old\"'"
              + " and sign in again", ["directory": directory]))
      }
      return derivation
    } catch {
      throw failure(error)
    }
  }

  private func failure(_ failure: StorageFailure) -> AuthenticationError {
    AuthenticationError(
      .storageUnavailable,
      Sentence(
        "The passphrase was not used because of “{path}”: {reason}.",
        ["path": file.path, "reason": failure.reason]),
      step: .storage)
  }
}
