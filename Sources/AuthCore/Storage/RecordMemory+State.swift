import FoundationEssentials

extension RecordMemory {
  /// The contents of ``RecordMemory``, and the changes that the store does not have yet.
  struct State: Sendable {
    typealias Key = AccountKey
    typealias Reading = Task<Result<Found, AuthenticationError>, Never>

    /// The result of a read.
    enum Found: Sendable {
      /// Every record.
      case all([StoredRecord])
      /// Some records, and the IDs of all records by account; nil when the IDs are unchanged.
      case some([AccountRecord], index: [Key: String]?)
    }

    /// A pending operation on the store.
    enum Work {
      case delete(id: String)
      case save(AccountRecord)
    }

    private let clientID: String
    private var records: [Key: KnownAccount] = [:]
    /// The store's IDs of records that are not in memory, or outdated there.
    private(set) var unread: [Key: String] = [:]
    /// Whether every record of the store is in memory: an index may not list all of them.
    private var isComplete = false
    /// The accounts of all records, sorted; nil after a change.
    private var sortedAccounts: [Account]?
    /// Accounts whose record in the store is older than the one in memory.
    private(set) var unsaved: Set<Key> = []
    /// Accounts that were removed, and when, until the store is updated.
    private var removed: [Key: Date] = [:]
    /// Store IDs of removed records that the store still has.
    private var undeleted: Set<String> = []
    /// Whether the store was read, even if only its index.
    private(set) var isLoaded = false
    private(set) var storageFailure: AuthenticationError?
    /// Why the store could not be written when that was checked.
    var writingFailure: AuthenticationError?
    /// Why the last attempt to read the store failed.
    private(set) var readFailure: AuthenticationError?
    /// The pause for a store that took long to fail.
    private(set) var pause: Pause?
    /// A problem found by the last read, until it is reported.
    private var warning: AuthenticationError?
    /// The synchronization in progress.
    var synchronization: Synchronization?
    private var lastNumber = 0

    /// A read of the store, if needed, followed by the pending writes.
    struct Synchronization: Sendable {
      let number: Int
      let reading: Reading?
      /// Whether the store succeeded.
      let end: Task<Bool, Never>
    }

    init(clientID: String) {
      self.clientID = clientID
    }

    /// Whether the store has no pending changes, and memory has what is needed.
    func isInStep(_ need: Need) -> Bool {
      isLoaded && unsaved.isEmpty && undeleted.isEmpty && removed.isEmpty && has(need)
    }

    /// Whether memory has what is needed, as of the last read of the store.
    func has(_ need: Need) -> Bool {
      switch need {
      case .all: isComplete
      case .account(let key): isComplete || records[key] != nil && unread[key] == nil
      case .identifier(let id):
        isComplete
          || records.keys.contains { $0.homeAccountID == id }
            && !unread.keys.contains { $0.homeAccountID == id }
      }
    }

    /// Whether the store may have a record that is about to be overwritten without having been
    /// read.
    var hasUnreadChange: Bool { isLoaded && unsaved.contains { unread[$0] != nil } }

    /// The number of the next ``Synchronization``.
    mutating func nextNumber() -> Int {
      lastNumber += 1
      return lastNumber
    }

    /// All accounts, the last to sign in first as of `date`; of several at that time, by their IDs.
    mutating func accounts(at date: Date) -> [Account] {
      if let sortedAccounts { return sortedAccounts }
      let accounts = records.values
        .map { (time: $0.record.signedIn(asOf: date), account: $0.account) }
        .sorted { $0.time == $1.time ? $0.account.id > $1.account.id : $0.time > $1.time }
        .map { $0.account }
      sortedAccounts = accounts
      return accounts
    }

    /// The account with an ``Account/id``; the last to sign in as of `date`, if several clouds have
    /// it.
    func account(identifier: String, at date: Date) -> Account? {
      records.lazy.filter { $0.key.homeAccountID == identifier }.map(\.value)
        .max { $0.record.signedIn(asOf: date) < $1.record.signedIn(asOf: date) }?.account
    }

    /// The time to record for an account's sign-in at `date`: later than that of every known
    /// account, by a second because times are stored in whole seconds.
    ///
    /// The clock may have been set back since the others. While the account's own record is unread,
    /// the time is `date`, by which ``adopt(_:warning:at:)`` recognizes that the record is older.
    func signInTime(of key: Key, at date: Date) -> Date {
      guard isComplete || records[key] != nil,
        let latest = records.values.map({ $0.record.signedIn(asOf: date) }).max()
      else { return date }
      return max(date, latest + 1)
    }

    /// Whether a sign-in at `time` was after `other`, as of `date`.
    ///
    /// A time in the future is from before the clock was set back, unless both are.
    private static func isSignIn(_ time: Date, after other: Date, asOf date: Date) -> Bool {
      time > other && (time <= date || other > date)
    }

    /// An account in memory.
    func known(_ key: Key) -> KnownAccount? { records[key] }

    /// The record of an account.
    func record(_ key: Key) -> AccountRecord? { records[key]?.record }

    /// Stores `record` in memory, and marks it for the store.
    mutating func change(_ record: AccountRecord) {
      let key = record.key
      if records[key] == nil, !isComplete { unread[key] = unread[key] ?? record.id }
      records[key] = KnownAccount(record)
      sortedAccounts = nil
      removed[key] = nil
      unsaved.insert(key)
    }

    /// Removes an account from memory, and marks it for removal from the store.
    ///
    /// If the account signs in after `date`, in another process, it is kept.
    mutating func remove(_ key: Key, at date: Date) {
      var time = date
      if let record = records.removeValue(forKey: key)?.record {
        time = max(date, record.signedIn(asOf: date))
        if isLoaded { undeleted.insert(record.id) }
      }
      if let id = unread.removeValue(forKey: key) { undeleted.insert(id) }
      sortedAccounts = nil
      unsaved.remove(key)
      removed[key] = time
    }

    /// Merges the store's contents, which were read at `date`, except for what is newer in memory.
    ///
    /// - Returns: whether it succeeded; otherwise every record has to be read.
    mutating func adopt(
      _ found: Found, warning: AuthenticationError?, at date: Date
    ) -> Bool {
      switch found {
      case .all(let stored): adopt(stored, at: date)
      case .some(let records, let index):
        // Pending changes must be compared with all records.
        guard unsaved.isEmpty, removed.isEmpty else { return false }
        adopt(records, index: index)
      }
      self.warning = warning
      sortedAccounts = nil
      isLoaded = true
      readFailure = nil
      return true
    }

    private mutating func adopt(_ found: [AccountRecord], index: [Key: String]?) {
      if let index {
        records = records.filter { index[$0.key] != nil }
        unread = index
        isComplete = false
      }
      for record in found {
        records[record.key] = KnownAccount(record)
        unread[record.key] = nil
      }
    }

    private mutating func adopt(_ stored: [StoredRecord], at date: Date) {
      var found: [Key: KnownAccount] = [:]
      found.reserveCapacity(stored.count)
      for case let record? in stored.lazy.map({ [clientID] in $0.account(for: clientID) }) {
        let key = record.key
        if let removal = removed[key] {
          guard Self.isSignIn(record.signedInAt, after: removal, asOf: date) else {
            undeleted.insert(record.id)
            continue
          }
          removed[key] = nil
          undeleted.remove(record.id)
        }
        guard let other = found[key]?.record else {
          found[key] = KnownAccount(record)
          continue
        }
        // Delete the older of two records, which would reappear when the newer is removed.
        let (older, newer) =
          other.signedIn(asOf: date) > record.signedIn(asOf: date)
          ? (record, other) : (other, record)
        undeleted.insert(older.id)
        found[key] = KnownAccount(newer)
      }
      for key in unsaved {
        guard var newer = record(key) else { continue }
        if let known = found[key]?.record {
          guard !Self.isSignIn(known.signedInAt, after: newer.signedInAt, asOf: date) else {
            unsaved.remove(key)
            continue
          }
          // It replaces the record in the store, and is the later one for other processes, too.
          newer.id = known.id
          let time = known.signedIn(asOf: date)
          if time > newer.signedInAt { newer.signedInAt = time + 1 }
        }
        found[key] = KnownAccount(newer)
      }
      records = found
      unread = [:]
      isComplete = true
    }

    /// The next pending operation; nil when there is none, which ends the synchronization.
    mutating func nextWork() -> Work? {
      if isLoaded {
        if let id = undeleted.popFirst() { return .delete(id: id) }
        while let key = unsaved.first(where: { unread[$0] == nil }) {
          unsaved.remove(key)
          if let record = record(key) { return .save(record) }
        }
        if unsaved.isEmpty {
          removed = [:]
          (storageFailure, warning, pause) = (warning, nil, nil)
        }
      }
      synchronization = nil
      return nil
    }

    /// Ends the synchronization; `work` is the operation that failed.
    mutating func fail(
      _ error: AuthenticationError, missing work: Work? = nil, isUnread: Bool = false, pause: Pause?
    ) {
      switch work {
      case .delete(let id): undeleted.insert(id)
      case .save(let record):
        if records[record.key] != nil { unsaved.insert(record.key) }
      case nil: break
      }
      storageFailure = error
      if isUnread { readFailure = error }
      self.pause = pause
      synchronization = nil
    }
  }
}

extension Pause {
  /// The time in which a store fails quickly, in seconds: a slower failure causes a pause.
  private static let quick = 1.0
  /// The length of the pause of a store, in seconds.
  private static let storeLength = 30.0

  /// The pause of a store that was called at `date` and failed at `end`; nil when that was quick.
  init?(afterStoreCalledAt date: Date, failedAt end: Date) {
    guard end.timeIntervalSince(date) >= Self.quick else { return nil }
    self.init(from: end, for: Self.storeLength)
  }
}
