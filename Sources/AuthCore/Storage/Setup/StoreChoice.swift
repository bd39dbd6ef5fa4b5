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
    store = UnreachableStore(
      error: AuthenticationError(
        .storageUnavailable, Sentence("{sentence}.", ["sentence": sentence]), step: .storage))
  }
}

/// A store that is not available.
struct UnreachableStore: TokenCacheStore {
  let error: AuthenticationError

  func load() throws(AuthenticationError) -> [StoredRecord] { throw error }
  func save(_ record: StoredRecord) throws(AuthenticationError) { throw error }
  func checkWriting() throws(AuthenticationError) { throw error }
  func delete(id: String) throws(AuthenticationError) { throw error }
}
