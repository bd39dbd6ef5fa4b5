import FoundationEssentials

/// The accounts of one app in memory, in step with a store.
///
/// Memory is the working copy. When the store cannot be read or written the app goes on from memory, and
/// what the store missed is written as soon as it can be reached again. A store that was not read is
/// never written to: it may hold more than memory does.
actor TokenCache {
  private let clientID: String
  let store: any TokenCacheStore
  private var records: [Key: AccountRecord] = [:]
  /// Whether the store's records are in memory.
  private var isLoaded = false
  /// What reads or writes the store at the moment.
  private var synchronizing: Task<Void, Never>?
  private var reading: Task<Result<[StoredRecord], AuthenticationError>, Never>?
  /// Accounts whose record in the store is older than the one in memory.
  private var unsaved: Set<Key> = []
  /// Accounts that were removed before the store was read.
  private var removed: Set<Key> = []
  /// Store IDs of removed records that the store still has.
  private var undeleted: Set<String> = []
  /// Why the store could not be reached when it was last needed; nil when all is well.
  private(set) var storageFailure: AuthenticationError?

  private struct Key: Hashable, Sendable {
    var homeAccountID: HomeAccountID
    var environment: String
  }

  init(clientID: String, store: any TokenCacheStore) {
    self.clientID = clientID
    self.store = store
  }

  /// All accounts, the one that signed in last first.
  var accounts: [AccountRecord] {
    records.values.sorted {
      ($0.signedInAt, $0.homeAccountID.description) > ($1.signedInAt, $1.homeAccountID.description)
    }
  }

  /// The record of an account, found under any name of its cloud.
  func record(of account: Account) -> AccountRecord? {
    key(of: account).flatMap { records[$0] }
  }

  /// Reads the store, once, and writes what it missed.
  ///
  /// Where that fails ``storageFailure`` says why, and the next call tries again.
  func load() async {
    if isLoaded && unsaved.isEmpty && undeleted.isEmpty { return }
    // One at a time: two could bring back what was removed between them.
    if synchronizing == nil {
      reading = isLoaded ? nil : Task { await read() }
      synchronizing = Task { await synchronize() }
    }
    // A store that waits for a person can be given up. What is written is written to the end: the
    // server may not take the token before it again.
    await withTaskCancellationHandler { [synchronizing] in
      await synchronizing?.value
    } onCancel: { [reading] in
      reading?.cancel()
    }
  }

  /// Takes in what a token response brought, and writes the account's record once.
  ///
  /// A refresh that ends after its account was removed does not bring the account back.
  func save(_ grant: TokenGrant, newID: @Sendable () -> String) async -> AccountRecord {
    // The same account, by whichever name of its cloud it was asked for.
    let named = Key(
      homeAccountID: grant.homeAccountID, environment: grant.authority.cacheEnvironment)
    let key = key(known: named) ?? named
    let known = records[key]
    var record =
      known
      ?? AccountRecord(
        id: newID(), clientID: clientID, homeAccountID: grant.homeAccountID,
        environment: grant.authority.cacheEnvironment, signedInAt: grant.receivedAt)
    record.merge(grant)
    guard known != nil || grant.isInteractive else { return record }
    records[key] = record
    removed.remove(key)
    unsaved.insert(key)
    await load()
    return record
  }

  /// Forgets a refresh token that the server will not take again, unless another came in its place.
  func forgetRefreshToken(_ token: Secret<String>, of account: Account) async {
    guard let key = key(of: account), records[key]?.refreshToken == token else { return }
    records[key]?.refreshToken = nil
    unsaved.insert(key)
    await load()
  }

  /// Removes an account and all its tokens.
  ///
  /// - Throws: when the store still has them. They are gone from memory all the same, and will be removed
  ///   from the store when it can be reached.
  func remove(_ account: Account) async throws(AuthenticationError) {
    let named = Key(homeAccountID: account.homeAccountID, environment: account.environment)
    let key = key(known: named) ?? named
    let record = records.removeValue(forKey: key)
    unsaved.remove(key)
    if let record, isLoaded {
      undeleted.insert(record.id)
    } else if !isLoaded {
      removed.insert(key)
    }
    await load()
    if let storageFailure { throw storageFailure }
  }

  private func key(of account: Account) -> Key? {
    key(known: Key(homeAccountID: account.homeAccountID, environment: account.environment))
  }

  /// The key of the record that `key` stands for, under any name of its cloud.
  private func key(known key: Key) -> Key? {
    ([key.environment] + KnownClouds.aliases(of: key.environment)).lazy
      .map { Key(homeAccountID: key.homeAccountID, environment: $0) }
      .first { self.records[$0] != nil }
  }

  private func synchronize() async {
    // Nothing comes between the last look at what is to be written and this.
    defer {
      synchronizing = nil
      reading = nil
    }
    do {
      if let reading {
        for stored in try await reading.value.get() {
          if let record = AccountRecord(stored), record.clientID == clientID { adopt(record) }
        }
        isLoaded = true
        removed = []
      }
      try await flush()
      storageFailure = nil
    } catch {
      storageFailure = error
    }
  }

  private func read() async -> Result<[StoredRecord], AuthenticationError> {
    do {
      return .success(try await store.load())
    } catch {
      return .failure(error)
    }
  }

  private func adopt(_ record: AccountRecord) {
    let key = Key(homeAccountID: record.homeAccountID, environment: record.environment)
    if removed.contains(key) {
      undeleted.insert(record.id)
    } else if var newer = records[key], newer.signedInAt >= record.signedInAt {
      // Signed in again during this run: it takes the place of the record in the store.
      newer.id = record.id
      records[key] = newer
    } else {
      records[key] = record
      unsaved.remove(key)
    }
  }

  /// Writes and deletes what the store missed, and what changes meanwhile.
  private func flush() async throws(AuthenticationError) {
    while true {
      if let id = undeleted.popFirst() {
        do {
          try await store.delete(id: id)
        } catch {
          undeleted.insert(id)
          throw error
        }
      } else if let key = unsaved.popFirst() {
        guard let record = records[key] else { continue }
        do {
          try await store.save(record.stored)
        } catch {
          unsaved.insert(key)
          throw error
        }
      } else {
        return
      }
    }
  }
}
