import AuthCore
import FoundationEssentials
import Glibc
import Sentences

/// The accounts that have signed out of an app, although the broker still lists them: not every
/// broker can remove an account from an app.
///
/// Each is an empty file, named by app and account, so that programs need not take turns.
struct SignedOutAccounts {
  /// Where the files are; nil to remember only until the process ends.
  let directory: String?
  /// Those without a file.
  private var remembered: Set<String> = []

  init(directory: String?) {
    self.directory = directory
  }

  /// Whether an account has signed out of the app with `clientID`.
  func contains(_ account: HomeAccountID, clientID: String) -> Bool {
    let name = Self.name(account, clientID)
    if remembered.contains(name) { return true }
    return file(name).map { access($0.path, F_OK) == 0 } ?? false
  }

  /// Remembers that an account has signed out.
  ///
  /// - Throws: when it is remembered only until the process ends, but should be longer.
  mutating func insert(
    _ account: HomeAccountID, clientID: String
  ) throws(AuthenticationError) {
    let name = Self.name(account, clientID)
    guard let file = file(name) else {
      remembered.insert(name)
      return
    }
    do throws(StorageFailure) {
      try file.makeDirectory()
      _ = try file.write([])
    } catch {
      remembered.insert(name)
      throw Self.error(error, file.path)
    }
  }

  /// Forgets that an account has signed out, because it has signed in again.
  mutating func remove(
    _ account: HomeAccountID, clientID: String
  ) throws(AuthenticationError) {
    let name = Self.name(account, clientID)
    remembered.remove(name)
    guard let file = file(name), unlink(file.path) != 0, errno != ENOENT else { return }
    throw Self.error(
      StorageFailure(
        Sentence("it cannot be removed: {reason}", ["reason": Sentence.systemError])), file.path)
  }

  private func file(_ name: String) -> PrivateFile? {
    directory.map { PrivateFile(path: "\($0)/\(name)") }
  }

  /// The name of a file, which a broker's text cannot lead elsewhere.
  private static func name(_ account: HomeAccountID, _ clientID: String) -> String {
    Base64URL.encode("\(clientID) \(account)".lowercased().utf8)
  }

  private static func error(_ failure: StorageFailure, _ path: String) -> AuthenticationError {
    AuthenticationError(
      .storageUnavailable,
      Sentence(
        "The list of signed-out accounts could not be saved in “{path}”: {reason}.",
        ["path": path, "reason": failure.reason]), step: .storage)
  }
}
