public import Sentences

/// Where accounts are kept, and why there.
public struct StoreChoice: Sendable {
  /// Whether the person has to give a passphrase, for accounts to be kept.
  ///
  /// It is an enum because a program has to handle all three: with one left out, accounts are not kept.
  public enum Passphrase: Sendable {
    /// No.
    case notNeeded
    /// Yes, a new one.
    case new
    /// Yes, the one that was set.
    case known
  }

  /// Where accounts are kept.
  public let kind: StorageKind
  /// Where accounts are kept and why there, for the person, without a full stop.
  public let sentence: Sentence
  /// Whether the person has to give a passphrase first.
  public let passphrase: Passphrase
  /// What keeps accounts, or says why they cannot be kept.
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

  /// Accounts are not kept: the store says so whenever it is asked.
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

/// A store that cannot be reached.
struct UnreachableStore: TokenCacheStore {
  let error: AuthenticationError

  func load() throws(AuthenticationError) -> [StoredRecord] { throw error }
  func save(_ record: StoredRecord) throws(AuthenticationError) { throw error }
  func delete(id: String) throws(AuthenticationError) { throw error }
}
