import CurlHTTP
import FoundationEssentials
import Glibc
import Sentences

/// A store that is chosen to fit this computer.
///
/// The choice is made once, at the first use: the keyring if there is one; else encrypted files, if
/// the service manager or the user provides a key; else nothing is stored, and
/// ``StoreChoice/sentence`` has the reason. An unencrypted file is used only on request.
///
/// The key for encrypted files is the systemd credential `entrance.store-key` (32 bytes, or their
/// base64 text), or derived from a passphrase. When ``StoreChoice/passphrase`` says that one is
/// needed, ask the user and call ``unlock(with:)``. Until then the store is unavailable, and the
/// app uses memory only.
public final class ChosenStore: ForwardingStore {
  struct State: Sendable {
    var choice: StoreChoice?
    var choosing: Task<StoreChoice, Never>?
    /// How often the choice was given up: a choice that was begun before does not count.
    var generation = 0
  }

  let setting: StorageKind?
  let keyring: (any KeyringStore)?
  let directory: String
  let credentials: String?
  let state = LockedValue(State())

  /// Creates a store; the choice is not made yet.
  ///
  /// - Parameters:
  ///   - setting: the user's setting; nil to choose automatically.
  ///   - keyring: the store in the desktop's keyring; nil without a desktop.
  ///   - directory: the directory for files, such as a directory of the program in
  ///     `$XDG_STATE_HOME`.
  ///   - credentials: the directory with the program's systemd credentials; nil for the one in
  ///     the environment (`CREDENTIALS_DIRECTORY`).
  public init(
    setting: StorageKind? = nil, keyring: (any KeyringStore)? = nil, directory: String,
    credentials: String? = nil
  ) {
    self.setting = setting
    self.keyring = keyring
    self.directory = directory
    self.credentials =
      credentials ?? getenv("CREDENTIALS_DIRECTORY").map { String(cString: $0) }
  }

  /// The choice; makes it at the first call.
  public var choice: StoreChoice {
    get async {
      let (choice, choosing) = state.withLock { state in
        if state.choosing == nil {
          state.choosing = Task { [generation = state.generation] in await choose(generation) }
        }
        return (state.choice, state.choosing)
      }
      if let choice { return choice }
      return await choosing?.value ?? StoreChoice(memoryBecause: Sentence("no storage was chosen"))
    }
  }

  /// Stores accounts in encrypted files from now on, with a key derived from `passphrase`.
  ///
  /// It takes the better part of a second. A new passphrase replaces one with which nothing has been
  /// stored, as after a sign-in that was canceled.
  /// - Throws: ``AuthenticationError`` with code ``AuthenticationError/Code/wrongPassphrase``
  ///   when the passphrase is wrong, and with ``AuthenticationError/Code/invalidParameter`` when a
  ///   new one is too short.
  public func unlock(with passphrase: Secret<String>) async throws(AuthenticationError) {
    let before = await choice
    guard before.passphrase != .notNeeded else {
      if before.kind == .encryptedFile, let problem = before.problem { throw problem }
      return
    }
    let (key, derivation) = try await passphraseKey.key(
      of: passphrase, replacing: before.unusedPassphrase)
    let file = passphraseKey
    let choice = inEncryptedFiles(with: key, Sentence("a passphrase")) {
      () throws(StorageFailure) in
      try file.check(derivation)
    }
    state.withLock { $0.choice = choice }
  }

  /// Whether accounts are in a keyring that the user has to unlock.
  ///
  /// The user is not asked.
  public var isKeyringLocked: Bool {
    get async {
      guard await choice.kind == .secretService else { return false }
      return [.locked, .needsConsent].contains(await keyring?.presence())
    }
  }

  /// Allows the store to ask the user again; one that could not be used is chosen anew.
  public func allowAskingAgain() {
    let store = knownTarget
    if store is UnreachableStore { chooseAgain() } else { store?.allowAskingAgain() }
  }

  /// Looks for what keeps accounts from being read or written; changes nothing.
  ///
  /// Without the passphrase, only the place of the files is looked at.
  package func examine() async throws(AuthenticationError) {
    let choice = await choice
    guard choice.passphrase == .notNeeded else {
      return try checkWritingFiles()
    }
    try await choice.store.examine()
  }

  /// Finds out whether the chosen store could be written; before the passphrase is entered, whether
  /// its files could.
  public func checkWriting() async throws(AuthenticationError) {
    let choice = await choice
    guard choice.passphrase == .notNeeded || choice.kind != .encryptedFile else {
      return try checkWritingFiles()
    }
    try await choice.store.checkWriting()
  }

  private func checkWritingFiles() throws(AuthenticationError) {
    do throws(StorageFailure) {
      try PrivateFile(path: "\(encryptedDirectory)/").checkWriting()
    } catch {
      throw EncryptedFileBackend.failure(error, path: encryptedDirectory)
    }
  }

  /// Makes the choice again at the next use: there may be a keyring by then.
  package func chooseAgain() {
    state.withLock { $0 = State(generation: $0.generation + 1) }
  }

  package var target: any TokenCacheStore {
    get async { await choice.store }
  }

  package var knownTarget: (any TokenCacheStore)? { state.withLock { $0.choice }?.store }

  var encryptedDirectory: String { "\(directory)/accounts" }
  /// The names of the encrypted files; empty when there is no directory with them.
  var encryptedNames: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: encryptedDirectory)) ?? []
  }
  var passphraseKey: PassphraseKey { PassphraseKey(in: directory, for: encryptedDirectory) }
}
