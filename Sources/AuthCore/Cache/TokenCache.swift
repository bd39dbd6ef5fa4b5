import CurlHTTP
import FoundationEssentials

/// The accounts of one app in memory, in step with a store.
///
/// Memory is the working copy. When the store cannot be read or written the app goes on from memory, and
/// what the store missed is written as soon as it can be reached again. A store that was not read is
/// never written to: it may hold more than memory does.
///
/// It is no actor: what is in memory is had at once, without a change of thread.
final class TokenCache: Sendable {
  let clientID: String
  let store: any TokenCacheStore
  private let log: Log
  private let memory: LockedValue<Memory>

  init(clientID: String, store: any TokenCacheStore, log: Log) {
    self.clientID = clientID
    self.store = store
    self.log = log
    memory = LockedValue(Memory(clientID: clientID))
  }

  /// All accounts, the one that signed in last first.
  var accounts: [Account] { memory.withLock { $0.accounts } }

  /// The account with an ``Account/id``; the one that signed in last, should two clouds have it.
  func account(identifier: String) -> Account? {
    memory.withLock { $0.account(identifier: identifier) }
  }

  /// Why the store could not be reached when it was last needed, or what was found amiss when it was just
  /// read; nil when all is well.
  var storageFailure: AuthenticationError? { memory.withLock { $0.storageFailure } }

  /// Whether memory and store hold the same, as far as is known: then ``load()`` has nothing to do.
  var isInStep: Bool { memory.withLock { $0.isInStep } && !store.hasChanged }

  /// What is known of an account, found under any name of its cloud.
  func known(_ account: Account) -> KnownAccount? {
    memory.withLock { $0.known(account.cacheID) }
  }

  /// The record of an account.
  func record(of account: Account) -> AccountRecord? { known(account)?.record }

  /// Reads the store where it holds what memory does not, and writes what it missed.
  ///
  /// Where that fails ``storageFailure`` says why, and the next call tries again.
  func load() async {
    guard !isInStep else { return }
    await synchronize(reading: memory.withLock { !$0.isLoaded } || store.hasChanged)
  }

  /// Reads the store, whether or not it says that it has changed.
  func readAgain() async { await synchronize(reading: true) }

  /// Reads the store once more, and lets it ask the person although they were asked before.
  func unlock() async {
    store.allowAskingAgain()
    await readAgain()
  }

  /// Takes in what a token response brought, and writes the account's record once.
  ///
  /// A refresh that ends after its account was removed does not bring the account back.
  func save(_ grant: TokenGrant, newID: @Sendable () -> String) async -> AccountRecord {
    // Another program may have written since the request was sent.
    await load()
    let key = UnifiedTokenCache.AccountID(
      homeAccountID: grant.homeAccountID.description,
      environment: grant.authority.cacheEnvironment)
    let (record, isKept) = memory.withLock { memory in
      let known = memory.record(key)
      var record =
        known
        ?? AccountRecord(
          id: newID(), clientID: clientID, homeAccountID: grant.homeAccountID,
          environment: grant.authority.cacheEnvironment, signedInAt: grant.receivedAt)
      record.merge(grant)
      guard known != nil || grant.isInteractive else { return (record, false) }
      memory.change(record)
      return (record, true)
    }
    if isKept { await synchronize(reading: false) }
    return record
  }

  /// Forgets a refresh token that the server will not take again, unless another came in its place.
  func forgetRefreshToken(_ token: Secret<String>, of account: Account) async {
    let isForgotten = memory.withLock { memory in
      guard var record = memory.record(account.cacheID), record.refreshToken == token else {
        return false
      }
      record.refreshToken = nil
      memory.change(record)
      return true
    }
    if isForgotten { await synchronize(reading: false) }
  }

  /// Removes an account and all its tokens.
  ///
  /// - Throws: when the store still has them. They are gone from memory all the same, and will be removed
  ///   from the store when it can be reached.
  func remove(_ account: Account) async throws(AuthenticationError) {
    memory.withLock { $0.remove(account.cacheID) }
    await load()
    if let storageFailure, storageFailure.code != .storageIncomplete { throw storageFailure }
  }

  // MARK: - The store

  /// Reads the store if `isWanted`, and writes what it missed.
  private func synchronize(reading isWanted: Bool) async {
    // One at a time: two could bring back what was removed between them.
    let (task, reading) = memory.withLock { memory in
      if memory.synchronizing == nil {
        memory.reading = isWanted ? Task { await read() } : nil
        memory.synchronizing = Task { [reading = memory.reading] in
          await synchronize(after: reading)
        }
      }
      return (memory.synchronizing, memory.reading)
    }
    // A store that waits for a person can be given up. What is written is written to the end: the
    // server may not take the token before it again.
    await withTaskCancellationHandler {
      await task?.value
    } onCancel: {
      reading?.cancel()
    }
  }

  private func synchronize(after reading: Memory.Reading?) async {
    if let reading {
      switch await reading.value {
      case .success(let records):
        let warning = store.warning
        if let warning { log.warning("The store: \(warning)") }
        memory.withLock { $0.adopt(records, warning: warning) }
      case .failure(let error): return memory.withLock { $0.finish(error) }
      }
    }
    while let work = memory.withLock({ $0.nextWork() }) {
      do throws(AuthenticationError) {
        switch work {
        case .delete(let id): try await store.delete(id: id)
        case .save(let record): try await store.save(record.stored)
        }
      } catch {
        return memory.withLock { $0.finish(error, missing: work) }
      }
    }
  }

  private func read() async -> Result<[StoredRecord], AuthenticationError> {
    do {
      return .success(try await store.load())
    } catch {
      return .failure(error)
    }
  }
}
