import CurlHTTP
import FoundationEssentials
public import Sentences

/// Where accounts are stored, and why.
public struct StoreChoice: Sendable {
  /// Whether a passphrase is needed.
  ///
  /// An enum, because a program must handle all three: otherwise accounts are not stored.
  public enum Passphrase: Sendable {
    /// None is needed.
    case notNeeded
    /// A new one is needed.
    case new
    /// The existing one is needed.
    case known
  }

  /// Where accounts are stored.
  public let kind: StorageKind
  /// Where accounts are stored and why, for the user, without a final period.
  public let sentence: Sentence
  /// Whether a passphrase is needed.
  public let passphrase: Passphrase
  /// The store, or a store that fails with the reason.
  let store: any TokenCacheStore
  /// The derivation of an earlier passphrase that a new one may replace, because nothing has been
  /// encrypted with it; nil when there is none.
  var unusedPassphrase: PassphraseDerivation?

  init(
    _ kind: StorageKind, _ place: Sentence, passphrase: Passphrase = .notNeeded,
    store: any TokenCacheStore
  ) {
    self.kind = kind
    sentence = Sentence("Accounts are kept {place}", ["place": place])
    self.passphrase = passphrase
    self.store = store
  }

  /// Why the store cannot be used, though no passphrase is missing; nil when it can.
  package var problem: AuthenticationError? {
    passphrase == .notNeeded ? (store as? UnreachableStore)?.error : nil
  }

  /// Accounts are not stored: every use of the store fails with `reason`.
  init(memoryBecause reason: Sentence, passphrase: Passphrase = .notNeeded) {
    kind = .memory
    sentence = Sentence(
      "Accounts are remembered only until this program ends, because {reason}", ["reason": reason])
    self.passphrase = passphrase
    var error = AuthenticationError(
      .storageUnavailable, Sentence("{sentence}.", ["sentence": sentence]), step: .storage)
    error.reasonForMemory = reason
    store = UnreachableStore(error: error)
  }
}

/// How it is chosen.
extension ChosenStore {
  /// Makes the choice.
  @concurrent
  func choose(_ generation: Int) async -> StoreChoice {
    let choice =
      switch setting?.known {
      case nil: await firstThatIsThere()
      case .secretService: inKeyring(nil)
      case .encryptedFile: inEncryptedFiles(instead: nil)
      case .plainFile:
        StoreChoice(
          .plainFile, Sentence("in the file “{path}”, which is not encrypted", ["path": plainPath]),
          store: FileTokenCacheStore(alone: plainPath))
      case .memory:
        StoreChoice(
          .memory, Sentence("only until this program ends"),
          store: MemoryTokenCacheStore())
      }
    state.withLock { state in
      if state.generation == generation { state.choice = choice }
    }
    return choice
  }

  private func firstThatIsThere() async -> StoreChoice {
    let presence = await keyring?.presence() ?? .noService
    if let absence = presence.absence { return inEncryptedFiles(instead: absence) }
    return inKeyring(presence)
  }

  /// The keyring, in any state: its accounts would be missing elsewhere.
  func inKeyring(_ presence: KeyringPresence?) -> StoreChoice {
    guard let keyring else {
      return StoreChoice(memoryBecause: Sentence("this program cannot reach a keyring"))
    }
    let place =
      switch presence?.known {
      case .locked: Sentence("in the keyring, which is locked")
      case .needsConsent: Sentence("in the keyring, which asks you before a program can read it")
      case .noAnswer: Sentence("in the keyring, which does not respond")
      case .failed(let words):
        Sentence("in the keyring, which reports a problem ({words})", ["words": words])
      case .unlocked, .noBus, .noService, .noDefaultCollection, nil: Sentence("in the keyring")
      }
    return StoreChoice(.secretService, place, store: keyring)
  }

  /// Encrypted files, if there is a key for them.
  ///
  /// - Parameter absence: why there is no keyring; nil when none was looked for.
  private func inEncryptedFiles(instead absence: Sentence?) -> StoreChoice {
    if let credential = CredentialKey(in: credentials) {
      do throws(StorageFailure) {
        return inEncryptedFiles(
          with: try credential.read(),
          Sentence("the key “{path}”", ["path": credential.path]), instead: absence)
      } catch {
        return StoreChoice(
          memoryBecause: Sentence(
            "the key “{path}” was not used: {reason}",
            ["path": credential.path, "reason": error.reason]))
      }
    }
    // A new passphrase could not open them.
    guard passphraseKey.isSet || passphraseKey.isUnused != false else {
      return StoreChoice(
        .encryptedFile,
        inEncryptedFiles(Sentence("a key that is not available"), instead: absence),
        store: UnreachableStore(error: passphraseKey.missing))
    }
    let place = inEncryptedFiles(Sentence("a passphrase"), instead: absence)
    if passphraseKey.isSet, let problem = passphraseKey.problem {
      // No passphrase could be right.
      return StoreChoice(.encryptedFile, place, store: UnreachableStore(error: problem))
    }
    guard passphraseKey.isSet, passphraseKey.isUnused != true else {
      var choice = StoreChoice(
        memoryBecause: absence ?? Sentence("no passphrase has been set"), passphrase: .new)
      choice.unusedPassphrase = passphraseKey.unused
      return choice
    }
    let error = AuthenticationError(
      .storageUnavailable,
      Sentence("The accounts are in encrypted files, and the passphrase has not been entered yet."),
      step: .storage)
    return StoreChoice(
      .encryptedFile, place, passphrase: .known, store: UnreachableStore(error: error))
  }

  /// Encrypted files with a key, whose origin is told.
  func inEncryptedFiles(
    with key: Secret<Data>, _ origin: Sentence, instead absence: Sentence? = nil,
    checkKey: (@Sendable () throws(StorageFailure) -> Void)? = nil
  ) -> StoreChoice {
    StoreChoice(
      .encryptedFile, inEncryptedFiles(origin, instead: absence),
      store: EncryptedFileTokenCacheStore(
        directory: encryptedDirectory, key: key, checkKey: checkKey))
  }

  private func inEncryptedFiles(_ origin: Sentence, instead absence: Sentence?) -> Sentence {
    absence.map {
      Sentence(
        "in encrypted files in “{path}”, with {origin}, because {reason}",
        ["path": encryptedDirectory, "origin": origin, "reason": $0])
    }
      ?? Sentence(
        "in encrypted files in “{path}”, with {origin}",
        ["path": encryptedDirectory, "origin": origin])
  }

  private var plainPath: String { "\(directory)/accounts.json" }
}

/// A store that is not available.
struct UnreachableStore: TokenCacheStore {
  let error: AuthenticationError

  func load() throws(AuthenticationError) -> [StoredRecord] { throw error }
  func save(_ record: StoredRecord) throws(AuthenticationError) { throw error }
  func checkWriting() throws(AuthenticationError) { throw error }
  func delete(id: String) throws(AuthenticationError) { throw error }
}
