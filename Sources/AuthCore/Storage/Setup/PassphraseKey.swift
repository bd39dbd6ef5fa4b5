import CurlHTTP
import Dispatch
import FoundationEssentials
import Sentences

/// A key derived from a passphrase, and the file with the derivation's parameters.
///
/// The file is written once, with the first passphrase, and never overwritten.
struct PassphraseKey: Sendable {
  private let file: PrivateFile
  /// The directory that also has the encrypted files.
  private let directory: String

  private static let queue = DispatchQueue(label: "passphrase")

  /// The minimum length of a new passphrase, as in NIST SP 800-63B.
  static let minimumLength = 8

  /// The key whose file is in `directory`, beside the encrypted files.
  init(in directory: String) {
    self.directory = directory
    file = PrivateFile(path: "\(directory)/passphrase.json", limit: FileReader.Limit.small)
  }

  /// Whether a passphrase has been set.
  var isSet: Bool { file.stamp != nil }

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
  /// - Throws: ``AuthenticationError`` with code ``AuthenticationError/Code/wrongPassphrase``
  ///   when the passphrase is wrong.
  func key(of passphrase: Secret<String>) async throws(AuthenticationError) -> Secret<Data> {
    if let derivation = try read() {
      return try await Self.queue.run { () throws(AuthenticationError) in
        try derivation.key(of: passphrase)
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
      if !isSet {
        _ = try file.write(Array(derivation.text.utf8))
        return key
      }
    } catch {
      throw failure(error)
    }
    // Another program was first.
    return try await self.key(of: passphrase)
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
