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
  /// Who renews the tokens of an account at the moment.
  let renewals = Turns<Memory.Key>()
  private let log: Log
  private let now: @Sendable () -> Date
  private let memory: LockedValue<Memory>
  /// Those who wait for a read of the store, which is given up when the last of them has left.
  private let readers = SharedWork<Int, Void>()

  init(clientID: String, store: any TokenCacheStore, runtime: Runtime) {
    self.clientID = clientID
    self.store = store
    log = runtime.log
    now = runtime.now
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

  /// Why it is not known what the store holds; nil when that is known.
  var readFailure: AuthenticationError? { memory.withLock { $0.readFailure } }

  /// Whether memory and store hold the same, as far as is known: then ``load()`` has nothing to do.
  var isInStep: Bool { memory.withLock { $0.isInStep } && !store.hasChanged }

  /// Whether the store took long to fail when it was last asked: who can do without it need not wait.
  var isSlow: Bool { memory.withLock { $0.pause != nil } }

  /// Whether it did so a short while ago, and is left alone.
  private var isPaused: Bool { memory.withLock { $0.pause?.covers(now()) == true } }

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
    while !isInStep {
      let isUnread = memory.withLock { !$0.isLoaded } || store.hasChanged
      // What another call began may have been before the change.
      guard await synchronize(reading: isUnread) == .doneByAnother else { return }
    }
  }

  /// Does what ``load()`` does, unless the store took long to fail a short while ago.
  func loadUnlessPaused() async {
    if !isPaused { await load() }
  }

  /// Reads the store, whether or not it says that it has changed.
  func readAgain() async {
    guard !isPaused else { return }
    while await synchronize(reading: true) == .doneByAnother {}
  }

  /// What is known of an account whose tokens came, and why the store does not have them.
  typealias Saved = (record: AccountRecord, failure: AuthenticationError?)

  /// Reads the store once more, and lets it ask the person although they were asked before.
  func unlock() async {
    store.allowAskingAgain()
    // Who took long to refuse, and wants to now, does not have to wait for the end of a pause.
    while await synchronize(reading: true) == .doneByAnother {}
  }

  /// Takes in what a token response brought, and writes the account's record once.
  ///
  /// A refresh that ends after its account was removed does not bring the account back.
  func save(_ grant: TokenGrant, newID: @Sendable () -> String) async -> Saved {
    // Another program may have written since the request was sent.
    await grant.reason == .signIn ? load() : loadUnlessPaused()
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
      guard known != nil || grant.reason.addsAccount else { return (record, false) }
      memory.change(record)
      return (record, true)
    }
    guard isKept else { return (record, nil) }
    if grant.reason == .signIn || !isPaused { await synchronize(reading: false) }
    return (record, memory.withLock { $0.isUnsaved(key) ? $0.storageFailure : nil })
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
    if isForgotten, !isPaused { await synchronize(reading: false) }
  }

  /// Removes an account and all its tokens.
  ///
  /// - Throws: when the store still has them. They are gone from memory all the same, and will be removed
  ///   from the store when it can be reached.
  func remove(_ account: Account) async throws(AuthenticationError) {
    let date = now()
    memory.withLock { $0.remove(account.cacheID, at: date) }
    await load()
    if let storageFailure, storageFailure.code != .storageIncomplete { throw storageFailure }
  }

  // MARK: - The store

  /// What became of a synchronization.
  private enum Ending {
    case done
    /// Another call had begun it.
    case doneByAnother
    /// The store did not answer, or the caller gave up.
    case failed
  }

  /// Reads the store if `isWanted`, and writes what it missed, or waits for another call that does such.
  @discardableResult
  private func synchronize(reading isWanted: Bool) async -> Ending {
    while true {
      // One at a time: two could bring back what was removed between them.
      let (synchronization, isOwn) = memory.withLock { memory in
        if let another = memory.synchronization { return (another, false) }
        let own = begin(number: memory.nextNumber(), reading: isWanted)
        memory.synchronization = own
        return (own, true)
      }
      if let reading = synchronization.reading {
        // A store that waits for a person can be given up, by the last who waits for it.
        let end: Void? = await readers.value(of: synchronization.number) {
          await withTaskCancellationHandler {
            _ = await reading.value
          } onCancel: {
            reading.cancel()
          }
        }
        if end == nil, !reading.isCancelled { return .failed }
      }
      // What is written is written to the end: the server may not take the token before it again.
      let isDone = await synchronization.end.value
      if isDone { return isOwn ? .done : .doneByAnother }
      // Others had given it up before this call could wait for it.
      guard synchronization.reading?.isCancelled == true, !Task.isCancelled else { return .failed }
    }
  }

  private func begin(number: Int, reading isWanted: Bool) -> Memory.Synchronization {
    let start = now()
    let reading = isWanted ? Task { await read() } : nil
    return Memory.Synchronization(
      number: number, reading: reading,
      end: Task { await synchronize(after: reading, begunAt: start) })
  }

  /// - Returns: whether the store did what it was asked for.
  private func synchronize(after reading: Memory.Reading?, begunAt start: Date) async -> Bool {
    if let reading {
      switch await reading.value {
      case .success(let records):
        let warning = store.warning
        if let warning { log.warning("The store: \(warning)") }
        memory.withLock { $0.adopt(records, warning: warning) }
      case .failure(let error):
        // Who was not waited for was not slow.
        let pause = reading.isCancelled ? nil : Memory.Pause(after: start, until: now())
        memory.withLock { $0.fail(error, isUnread: true, pause: pause) }
        return false
      }
    }
    while let work = memory.withLock({ $0.nextWork() }) {
      let start = now()
      do throws(AuthenticationError) {
        switch work {
        case .delete(let id): try await store.delete(id: id)
        case .save(let record): try await store.save(record.stored)
        }
      } catch {
        let pause = Memory.Pause(after: start, until: now())
        memory.withLock { $0.fail(error, missing: work, pause: pause) }
        return false
      }
    }
    return true
  }

  private func read() async -> Result<[StoredRecord], AuthenticationError> {
    do {
      return .success(try await store.load())
    } catch {
      return .failure(error)
    }
  }
}
