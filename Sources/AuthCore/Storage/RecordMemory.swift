import CurlHTTP
import FoundationEssentials

/// The accounts of one app in memory, synchronized with a store.
///
/// If the store has an index, records are read when they are needed: a token of one account takes
/// the index and one record, whatever the number of accounts.
///
/// Memory is the working copy. When the store cannot be read or written, the app continues with
/// memory, and pending changes are written as soon as the store is available again. A store that
/// was not read is never written to: it may contain more than memory does.
///
/// It is not an actor, so that cached values are returned without a change of thread.
final class RecordMemory: Sendable {
  let clientID: String
  let store: any TokenCacheStore
  /// Turns for renewing the tokens of an account.
  let renewals = Turns<State.Key>()
  private let log: Log
  private let now: @Sendable () -> Date
  private let state: LockedValue<State>
  /// The callers that wait for a read of the store, which is canceled when the last of them has
  /// left.
  private let readers = SharedWork<Int, Void>()

  init(clientID: String, store: any TokenCacheStore, runtime: Runtime) {
    self.clientID = clientID
    self.store = store
    log = runtime.log
    now = runtime.now
    state = LockedValue(State(clientID: clientID))
  }

  /// All accounts, the last to sign in first.
  var accounts: [Account] {
    let date = now()
    return state.withLock { $0.accounts(at: date) }
  }

  /// The account with an ``Account/id``; the last to sign in, if several clouds have it.
  func account(identifier: String) -> Account? {
    let date = now()
    return state.withLock { $0.account(identifier: identifier, at: date) }
  }

  /// Why the store was unavailable when it was last needed, or a problem found by the last read;
  /// nil when there is none.
  var storageFailure: AuthenticationError? { state.withLock { $0.storageFailure } }

  /// Why new tokens cannot be kept, as was found before they were requested; nil when nothing was
  /// found.
  var writingFailure: AuthenticationError? { state.withLock { $0.writingFailure } }

  /// Finds out whether the store could keep new tokens.
  func checkWriting() async throws(AuthenticationError) {
    do throws(AuthenticationError) {
      try await store.checkWriting()
      state.withLock { $0.writingFailure = nil }
    } catch {
      log.warning("New tokens cannot be stored: \(error)")
      state.withLock { $0.writingFailure = error }
      throw error
    }
  }

  /// Whether memory has tokens that the store does not have.
  var hasUnsavedTokens: Bool { state.withLock { !$0.unsaved.isEmpty } }

  /// Why the store's contents are unknown; nil when they are known.
  var readFailure: AuthenticationError? { state.withLock { $0.readFailure } }

  /// The part of the store that a caller needs.
  enum Need: Sendable, Hashable {
    case all
    case account(AccountKey)
    /// The accounts with an ``Account/id``: one, or one in each of several clouds.
    case identifier(String)

    /// The IDs of the records in question.
    func ids(in index: [AccountKey: String]) -> [String] {
      switch self {
      case .all: Array(index.values)
      case .account(let key): index[key].map { [$0] } ?? []
      case .identifier(let id): index.filter { $0.key.homeAccountID == id }.map(\.value)
      }
    }
  }

  /// Whether memory and store are known to have the same data of what is needed: then ``load(_:)``
  /// has nothing to do.
  func isInStep(_ need: Need) -> Bool {
    state.withLock { $0.isInStep(need) } && !store.hasChanged
  }

  /// Whether the store took long to fail the last time; callers that do not need it should not
  /// wait.
  var isSlow: Bool { state.withLock { $0.pause != nil } }

  /// Whether the store is paused because it recently took long to fail.
  private var isPaused: Bool { state.withLock { $0.pause?.covers(now()) == true } }

  /// An account in memory, under any alias of its cloud.
  func known(_ account: Account) -> KnownAccount? {
    state.withLock { $0.known(account.key) }
  }

  /// The record of an account.
  func record(of account: Account) -> AccountRecord? { known(account)?.record }

  /// The record of the account with a key.
  func record(_ key: AccountKey) -> AccountRecord? { state.withLock { $0.record(key) } }

  /// Reads the store if it has changed, and writes pending changes to it.
  ///
  /// On failure, ``storageFailure`` has the reason, and the next call tries again.
  func load(_ need: Need = .all) async {
    while !isInStep(need) {
      let isUnread =
        state.withLock { !$0.isLoaded || !$0.has(need) || $0.hasUnreadChange } || store.hasChanged
      // A synchronization begun by another call may predate the change, or be for another account.
      guard await synchronize(reading: isUnread ? need : nil) == .doneByAnother else { return }
    }
  }

  /// Like ``load(_:)``, before something is removed: a task that was canceled before reads anyway, and
  /// only waiting for the user can be canceled.
  ///
  /// - Throws: when the wait was canceled: then the store was neither read nor written.
  func loadToRemove() async throws(AuthenticationError) {
    guard !Task.isCancelled else { return await Task { await load() }.value }
    await load()
    if Task.isCancelled, !isInStep(.all) { throw .canceled(step: .storage) }
  }

  /// Like ``load(_:)``, but does nothing during a pause.
  func loadUnlessPaused(_ need: Need) async {
    if !isPaused { await load(need) }
  }

  /// Reads an account from the store, even if the store reports no change.
  func readAgain(_ account: Account) async {
    guard !isPaused else { return }
    while await synchronize(reading: .account(account.key)) == .doneByAnother {}
  }

  /// Reads the store again, and allows it to ask the user although they declined before.
  func unlock() async {
    store.allowAskingAgain()
    if writingFailure != nil { try? await checkWriting() }
    // The user wants to unlock now, so the pause is ignored.
    while await synchronize(reading: .all) == .doneByAnother {}
  }

  /// The record of an account after new tokens, and why the store does not have them.
  typealias Saved = (record: AccountRecord, failure: AuthenticationError?)

  /// Merges a token response, and writes the account's record once.
  ///
  /// A refresh that ends after its account was removed does not restore the account. The caller's
  /// task may be canceled, which stops nothing here: the tokens cannot be had twice.
  func save(_ grant: TokenGrant, newID: @escaping @Sendable () -> String) async -> Saved {
    await Task { await merge(grant, newID: newID) }.value
  }

  private func merge(_ grant: TokenGrant, newID: @Sendable () -> String) async -> Saved {
    let key = AccountKey(grant.homeAccountID, at: grant.authority)
    // Another program may have written since the request was sent.
    await grant.reason == .signIn ? load() : loadUnlessPaused(.account(key))
    let (record, isKept) = state.withLock { state in
      let known = state.record(key)
      var record =
        known
        ?? AccountRecord(
          id: newID(), clientID: clientID, homeAccountID: grant.homeAccountID,
          environment: grant.authority.cacheEnvironment, signedInAt: grant.receivedAt)
      record.merge(grant)
      if grant.reason == .signIn {
        record.signedInAt = state.signInTime(of: key, at: grant.receivedAt)
      }
      guard known != nil || grant.reason.addsAccount else { return (record, false) }
      state.change(record)
      return (record, true)
    }
    guard isKept else { return (record, nil) }
    if grant.reason == .signIn || !isPaused { await synchronize(reading: nil) }
    return (record, state.withLock { $0.unsaved.contains(key) ? $0.storageFailure : nil })
  }

  /// Stores a refresh token in place of the one that was used up, unless that was replaced
  /// meanwhile.
  ///
  /// The caller's task may be canceled, which stops nothing here.
  func save(_ renewed: RenewedRefreshToken) async {
    await Task {
      // Another program may have written since the request was sent.
      await loadUnlessPaused(.account(renewed.account))
      await replace(renewed.spentToken, with: renewed.token, of: renewed.account)
    }.value
  }

  /// Deletes a refresh token that the server has permanently rejected, unless it was replaced
  /// meanwhile.
  func forgetRefreshToken(_ token: Secret<String>, of account: Account) async {
    await replace(token, with: nil, of: account.key)
  }

  /// Replaces a refresh token, unless it was replaced meanwhile.
  private func replace(
    _ token: Secret<String>, with new: Secret<String>?, of key: AccountKey
  ) async {
    let isReplaced = state.withLock { state in
      guard var record = state.record(key), record.refreshToken == token, new != token else {
        return false
      }
      record.refreshToken = new
      state.change(record)
      return true
    }
    if isReplaced, !isPaused { await synchronize(reading: nil) }
  }

  /// Removes an account and all its tokens.
  ///
  /// The caller's task may be canceled, which stops no write: an account that stays in the store
  /// would come back.
  /// - Throws: when the store still has them. They are removed from memory anyway, and from the
  ///   store when it is available again.
  func remove(_ account: Account) async throws(AuthenticationError) {
    let date = now()
    state.withLock { $0.remove(account.key, at: date) }
    try await loadToRemove()
    if let storageFailure, storageFailure.code != .storageIncomplete { throw storageFailure }
  }

  // MARK: - Synchronization

  /// The outcome of a synchronization.
  private enum Ending {
    case done
    /// Another call had begun it.
    case doneByAnother
    /// The store failed, or the caller's task was canceled.
    case failed
  }

  /// Reads what is needed, if anything, and writes pending changes; if a synchronization is in
  /// progress, waits for that instead.
  @discardableResult
  private func synchronize(reading need: Need?) async -> Ending {
    while true {
      // The user is asked for nobody.
      if need != nil, Task.isCancelled { return .failed }
      // Only one at a time: two could restore what was removed between them.
      let (synchronization, isOwn) = state.withLock { state in
        if let another = state.synchronization { return (another, false) }
        // Unread records are never overwritten; a store that has just failed is not read again.
        let mustRead = state.hasUnreadChange && (need != nil || state.readFailure == nil)
        let own = begin(number: state.nextNumber(), reading: mustRead ? .all : need)
        state.synchronization = own
        return (own, true)
      }
      if let reading = synchronization.reading {
        // A read that waits for the user can be canceled, when the last caller has left.
        let end: Void? = await readers.value(of: synchronization.number) {
          await withTaskCancellationHandler {
            _ = await reading.value
          } onCancel: {
            reading.cancel()
          }
        }
        if end == nil, !reading.isCancelled {
          guard need != nil, await readers.callerCount(of: synchronization.number) == 0 else {
            return .failed
          }
          // This caller was canceled before it could wait, and nobody else does.
          reading.cancel()
        }
      }
      // A write is always completed: the server may not accept the previous token again.
      let isDone = await synchronization.end.value
      if isDone { return isOwn ? .done : .doneByAnother }
      // Other callers had canceled it before this one could wait for it.
      guard synchronization.reading?.isCancelled == true, !Task.isCancelled else { return .failed }
    }
  }

  private func begin(number: Int, reading need: Need?) -> State.Synchronization {
    let start = now()
    let reading = need.map { need in Task { await read(need) } }
    return State.Synchronization(
      number: number, reading: reading,
      end: Task { await synchronize(after: reading, begunAt: start) })
  }

  /// - Returns: whether the store succeeded.
  private func synchronize(after reading: State.Reading?, begunAt start: Date) async -> Bool {
    if let reading {
      var result = await reading.value
      if case .success(let found) = result, !adopt(found) {
        result = await read(.all)
        if case .success(let all) = result { _ = adopt(all) }
      }
      if case .failure(let error) = result {
        // A canceled read does not count as slow.
        let pause = reading.isCancelled ? nil : Pause(afterStoreCalledAt: start, failedAt: now())
        state.withLock { $0.fail(error, isUnread: true, pause: pause) }
        return false
      }
    }
    while let work = state.withLock({ $0.nextWork() }) {
      if let (error, pause) = await write(work) {
        state.withLock { $0.fail(error, missing: work, pause: pause) }
        return false
      }
    }
    return true
  }

  /// How often a write is tried: a disk can fail once, and the tokens cannot be had twice.
  private static let attempts = 3

  /// Why a write failed; nil when it succeeded.
  private func write(_ work: State.Work) async -> (AuthenticationError, Pause?)? {
    var attempt = 0
    while true {
      attempt += 1
      let start = now()
      do throws(AuthenticationError) {
        switch work {
        case .delete(let id): try await store.delete(id: id)
        case .save(let record):
          try await store.save(StoredRecord(record))
          state.withLock { $0.writingFailure = nil }
        }
        return nil
      } catch {
        // A store that takes long to fail is away, and not tried again by everyone who waits.
        let pause = Pause(afterStoreCalledAt: start, failedAt: now())
        guard pause == nil, attempt < Self.attempts else { return (error, pause) }
        log.warning("The store failed and is tried again: \(error)")
      }
    }
  }

  private func adopt(_ found: State.Found) -> Bool {
    let warning = store.warning
    if let warning { log.warning("The store: \(warning)") }
    let date = now()
    return state.withLock { $0.adopt(found, warning: warning, at: date) }
  }

  private func read(_ need: Need) async -> Result<State.Found, AuthenticationError> {
    await Result { () async throws(AuthenticationError) -> State.Found in
      if need != .all, let some = try await readSome(need) { return some }
      return .all(try await store.load())
    }
  }

  /// Reads only the records that are needed; nil when all of them must be read.
  private func readSome(_ need: Need) async throws(AuthenticationError) -> State.Found? {
    var known = store.hasChanged ? [:] : state.withLock { $0.unread }
    let isIndexKnown = !need.ids(in: known).isEmpty
    if !isIndexKnown {
      let entries = try await store.index().filter { caselessEqual($0.clientID, clientID) }
      known = Dictionary(entries.map { ($0.account, $0.id) }) { first, _ in first }
      // Of two records of an account the newer counts, so both must be read.
      guard known.count == entries.count else { return nil }
    }
    var records: [AccountRecord] = []
    for id in need.ids(in: known) {
      guard let record = try await store.load(id: id)?.account(for: clientID),
        known[record.key] == id
      else { return nil }
      records.append(record)
    }
    return records.isEmpty ? nil : .some(records, index: isIndexKnown ? nil : known)
  }
}
