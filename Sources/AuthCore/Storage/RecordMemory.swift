import CurlHTTP
import FoundationEssentials

/// The accounts of one app in memory, in step with a store.
///
/// Where the store has an index, a record is read when it is needed: a token of one account costs the index
/// and one record, however many there are.
///
/// Memory is the working copy. When the store cannot be read or written the app goes on from memory, and
/// what the store missed is written as soon as it can be reached again. A store that was not read is
/// never written to: it may hold more than memory does.
///
/// It is no actor: what is in memory is had at once, without a change of thread.
final class RecordMemory: Sendable {
  let clientID: String
  let store: any TokenCacheStore
  /// Who renews the tokens of an account at the moment.
  let renewals = Turns<State.Key>()
  private let log: Log
  private let now: @Sendable () -> Date
  private let state: LockedValue<State>
  /// Those who wait for a read of the store, which is given up when the last of them has left.
  private let readers = SharedWork<Int, Void>()

  init(clientID: String, store: any TokenCacheStore, runtime: Runtime) {
    self.clientID = clientID
    self.store = store
    log = runtime.log
    now = runtime.now
    state = LockedValue(State(clientID: clientID))
  }

  /// All accounts, the one that signed in last first.
  var accounts: [Account] { state.withLock { $0.accounts } }

  /// The account with an ``Account/id``; the one that signed in last, should two clouds have it.
  func account(identifier: String) -> Account? {
    state.withLock { $0.account(identifier: identifier) }
  }

  /// Why the store could not be reached when it was last needed, or what was found amiss when it was just
  /// read; nil when all is well.
  var storageFailure: AuthenticationError? { state.withLock { $0.storageFailure } }

  /// Why it is not known what the store holds; nil when that is known.
  var readFailure: AuthenticationError? { state.withLock { $0.readFailure } }

  /// What a caller needs of the store.
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

  /// Whether memory and store hold the same of what is needed, as far as is known: then ``load(_:)`` has
  /// nothing to do.
  func isInStep(_ need: Need) -> Bool {
    state.withLock { $0.isInStep(need) } && !store.hasChanged
  }

  /// Whether the store took long to fail when it was last asked: who can do without it need not wait.
  var isSlow: Bool { state.withLock { $0.pause != nil } }

  /// Whether it did so a short while ago, and is left alone.
  private var isPaused: Bool { state.withLock { $0.pause?.covers(now()) == true } }

  /// What is known of an account, found under any name of its cloud.
  func known(_ account: Account) -> KnownAccount? {
    state.withLock { $0.known(account.key) }
  }

  /// The record of an account.
  func record(of account: Account) -> AccountRecord? { known(account)?.record }

  /// Reads the store where it holds what memory does not, and writes what it missed.
  ///
  /// Where that fails ``storageFailure`` says why, and the next call tries again.
  func load(_ need: Need = .all) async {
    while !isInStep(need) {
      let isUnread =
        state.withLock { !$0.isLoaded || !$0.has(need) || $0.hasUnreadChange } || store.hasChanged
      // What another call began may have been before the change, or for another account.
      guard await synchronize(reading: isUnread ? need : nil) == .doneByAnother else { return }
    }
  }

  /// Does what ``load(_:)`` does, unless the store took long to fail a short while ago.
  func loadUnlessPaused(_ need: Need) async {
    if !isPaused { await load(need) }
  }

  /// Reads an account from the store, whether or not that says that it has changed.
  func readAgain(_ account: Account) async {
    guard !isPaused else { return }
    while await synchronize(reading: .account(account.key)) == .doneByAnother {}
  }

  /// What is known of an account whose tokens came, and why the store does not have them.
  typealias Saved = (record: AccountRecord, failure: AuthenticationError?)

  /// Reads the store once more, and lets it ask the person although they were asked before.
  func unlock() async {
    store.allowAskingAgain()
    // Who took long to refuse, and wants to now, does not have to wait for the end of a pause.
    while await synchronize(reading: .all) == .doneByAnother {}
  }

  /// Takes in what a token response brought, and writes the account's record once.
  ///
  /// A refresh that ends after its account was removed does not bring the account back.
  func save(_ grant: TokenGrant, newID: @Sendable () -> String) async -> Saved {
    let key = AccountKey(
      homeAccountID: grant.homeAccountID.description,
      environment: grant.authority.cacheEnvironment)
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
      guard known != nil || grant.reason.addsAccount else { return (record, false) }
      state.change(record)
      return (record, true)
    }
    guard isKept else { return (record, nil) }
    if grant.reason == .signIn || !isPaused { await synchronize(reading: nil) }
    return (record, state.withLock { $0.isUnsaved(key) ? $0.storageFailure : nil })
  }

  /// Forgets a refresh token that the server will not take again, unless another came in its place.
  func forgetRefreshToken(_ token: Secret<String>, of account: Account) async {
    let isForgotten = state.withLock { state in
      guard var record = state.record(account.key), record.refreshToken == token else {
        return false
      }
      record.refreshToken = nil
      state.change(record)
      return true
    }
    if isForgotten, !isPaused { await synchronize(reading: nil) }
  }

  /// Removes an account and all its tokens.
  ///
  /// - Throws: when the store still has them. They are gone from memory all the same, and will be removed
  ///   from the store when it can be reached.
  func remove(_ account: Account) async throws(AuthenticationError) {
    let date = now()
    state.withLock { $0.remove(account.key, at: date) }
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

  /// Reads what is needed, if anything, and writes what the store missed, or waits for another call that does
  /// such.
  @discardableResult
  private func synchronize(reading need: Need?) async -> Ending {
    while true {
      // One at a time: two could bring back what was removed between them.
      let (synchronization, isOwn) = state.withLock { state in
        if let another = state.synchronization { return (another, false) }
        // Nothing is written over that was not read; a store that has just failed is not asked again.
        let mustRead = state.hasUnreadChange && (need != nil || state.readFailure == nil)
        let own = begin(number: state.nextNumber(), reading: mustRead ? .all : need)
        state.synchronization = own
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

  private func begin(number: Int, reading need: Need?) -> State.Synchronization {
    let start = now()
    let reading = need.map { need in Task { await read(need) } }
    return State.Synchronization(
      number: number, reading: reading,
      end: Task { await synchronize(after: reading, begunAt: start) })
  }

  /// - Returns: whether the store did what it was asked for.
  private func synchronize(after reading: State.Reading?, begunAt start: Date) async -> Bool {
    if let reading {
      var result = await reading.value
      if case .success(let found) = result, !adopt(found) {
        result = await read(.all)
        if case .success(let all) = result { _ = adopt(all) }
      }
      if case .failure(let error) = result {
        // Who was not waited for was not slow.
        let pause = reading.isCancelled ? nil : State.Pause(after: start, until: now())
        state.withLock { $0.fail(error, isUnread: true, pause: pause) }
        return false
      }
    }
    while let work = state.withLock({ $0.nextWork() }) {
      let start = now()
      do throws(AuthenticationError) {
        switch work {
        case .delete(let id): try await store.delete(id: id)
        case .save(let record): try await store.save(StoredRecord(record))
        }
      } catch {
        let pause = State.Pause(after: start, until: now())
        state.withLock { $0.fail(error, missing: work, pause: pause) }
        return false
      }
    }
    return true
  }

  private func adopt(_ found: State.Found) -> Bool {
    let warning = store.warning
    if let warning { log.warning("The store: \(warning)") }
    return state.withLock { $0.adopt(found, warning: warning) }
  }

  private func read(_ need: Need) async -> Result<State.Found, AuthenticationError> {
    do throws(AuthenticationError) {
      if need != .all, let some = try await readSome(need) { return .success(some) }
      return .success(.all(try await store.load()))
    } catch {
      return .failure(error)
    }
  }

  /// Reads the records that are needed and no others; nil when it takes all to find them.
  private func readSome(_ need: Need) async throws(AuthenticationError) -> State.Found? {
    var known = store.hasChanged ? [:] : state.withLock { $0.unread }
    let isIndexKnown = !need.ids(in: known).isEmpty
    if !isIndexKnown {
      let entries = try await store.index().filter { caselessEqual($0.clientID, clientID) }
      known = Dictionary(entries.map { ($0.account, $0.id) }) { first, _ in first }
      // Of two records of an account the newer counts, so both are to be read.
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

/// Removing what other apps keep in the same store.
///
/// ``RecordMemory`` otherwise looks at the records of its own client ID only.
extension RecordMemory {
  /// Removes every record of an account from the store, whichever client ID it is for.
  ///
  /// - Throws: when the store could not be read, or still has one of them.
  func wipe(_ account: Account) async throws(AuthenticationError) {
    try await wipe { $0.account?.key == account.key }
  }

  /// Removes all accounts, and every record that the store shows.
  ///
  /// - Throws: when the store could not be read, or still has one of them.
  func wipe() async throws(AuthenticationError) {
    var failure: AuthenticationError?
    for account in accounts {
      do throws(AuthenticationError) {
        try await remove(account)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    try await wipe { _ in true }
  }

  private func wipe(
    where isUnwanted: (StoredRecord) -> Bool
  ) async throws(AuthenticationError) {
    for stored in try await store.load() where isUnwanted(stored) {
      // Whoever signed in meanwhile stays.
      let own = stored.account(for: clientID)
      if let own, record(of: own.account) != nil { continue }
      try await store.delete(id: stored.id)
    }
  }
}
