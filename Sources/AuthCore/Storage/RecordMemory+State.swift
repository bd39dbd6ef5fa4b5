import FoundationEssentials

extension RecordMemory {
  /// What ``RecordMemory`` holds, and what the store has missed of it.
  struct State: Sendable {
    typealias Key = AccountKey
    typealias Reading = Task<Result<Found, AuthenticationError>, Never>

    /// What was read.
    enum Found: Sendable {
      /// Every record.
      case all([StoredRecord])
      /// Some records, and the IDs of all by their accounts; nil when these are as they were.
      case some([AccountRecord], index: [Key: String]?)
    }

    /// What the store is to be told.
    enum Work {
      case delete(id: String)
      case save(AccountRecord)
    }

    /// A record is read when it is first asked for: the store may have thousands.
    private enum Record {
      case stored(StoredRecord)
      case read(KnownAccount)
    }

    private let clientID: String
    private var records: [Key: Record] = [:]
    /// The store's IDs of records that are not in memory, or older there.
    private(set) var unread: [Key: String] = [:]
    /// Whether every record of the store is in memory: an index may leave one out.
    private var isComplete = false
    /// The accounts of all records, in order; nil when they have changed since they were asked for.
    private var sortedAccounts: [Account]?
    /// Accounts whose record in the store is older than the one in memory.
    private var unsaved: Set<Key> = []
    /// Accounts that were removed, and when, until the store has heard of it.
    private var removed: [Key: Date] = [:]
    /// Store IDs of removed records that the store still has.
    private var undeleted: Set<String> = []
    /// Whether the store was read, be it its index alone.
    private(set) var isLoaded = false
    private(set) var storageFailure: AuthenticationError?
    /// Why the store could not be read when that was last tried.
    private(set) var readFailure: AuthenticationError?
    /// For how long a store is left alone that took long to fail.
    private(set) var pause: Pause?
    /// What was amiss when the store was read, until it has been told.
    private var warning: AuthenticationError?
    /// What reads or writes the store at the moment.
    var synchronization: Synchronization?
    private var lastNumber = 0

    /// A read of the store, if one was needed, and the writes behind it.
    struct Synchronization: Sendable {
      let number: Int
      let reading: Reading?
      /// Whether the store did what it was asked for.
      let end: Task<Bool, Never>
    }

    /// The time in which a store is not asked that took long to fail.
    struct Pause: Sendable {
      /// How long a store takes that just says no, in seconds: one that takes longer is given a pause.
      private static let quick = 1.0
      /// How long the pause is, in seconds.
      private static let length = 30.0

      private let start: Date

      /// The pause for a store that was asked at `date`, and failed at `end`; nil when that was quick.
      init?(after date: Date, until end: Date) {
        guard end.timeIntervalSince(date) >= Self.quick else { return nil }
        start = end
      }

      /// A clock that was set back must not make a pause last for longer.
      func covers(_ date: Date) -> Bool { start <= date && date < start + Self.length }
    }

    init(clientID: String) {
      self.clientID = clientID
    }

    /// Whether the store has missed nothing, and memory has what is needed.
    func isInStep(_ need: Need) -> Bool {
      isLoaded && unsaved.isEmpty && undeleted.isEmpty && removed.isEmpty && has(need)
    }

    /// Whether memory has what is needed, as the store was when it was last read.
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

    /// Whether the store may have a record that is to be written over and was not read.
    var hasUnreadChange: Bool { isLoaded && unsaved.contains { unread[$0] != nil } }

    /// Whether the store has an older record of an account than memory, or none.
    func isUnsaved(_ key: Key) -> Bool { unsaved.contains(key) }

    /// A number for the next ``Synchronization``.
    mutating func nextNumber() -> Int {
      lastNumber += 1
      return lastNumber
    }

    /// All accounts, the one that signed in last first.
    var accounts: [Account] {
      mutating get {
        if let sortedAccounts { return sortedAccounts }
        let accounts = Array(records.keys).compactMap { known($0) }
          .sorted {
            $0.record.signedInAt == $1.record.signedInAt
              ? $0.account.id > $1.account.id : $0.record.signedInAt > $1.record.signedInAt
          }
          .map(\.account)
        sortedAccounts = accounts
        return accounts
      }
    }

    /// The account with an ``Account/id``; the one that signed in last, should two clouds have it.
    mutating func account(identifier: String) -> Account? {
      Array(records.keys.lazy.filter { $0.homeAccountID == identifier }).compactMap { known($0) }
        .max { $0.record.signedInAt < $1.record.signedInAt }?.account
    }

    /// What is known of an account.
    mutating func known(_ key: Key) -> KnownAccount? {
      switch records[key] {
      case .read(let known): return known
      case .stored(let stored):
        let known = stored.account(for: clientID).map(KnownAccount.init)
        records[key] = known.map(Record.read)
        return known
      case nil: return nil
      }
    }

    /// The record of an account.
    mutating func record(_ key: Key) -> AccountRecord? { known(key)?.record }

    /// Keeps `record`, which the store has to be told of.
    mutating func change(_ record: AccountRecord) {
      let key = record.key
      if records[key] == nil, !isComplete { unread[key] = unread[key] ?? record.id }
      records[key] = .read(KnownAccount(record))
      sortedAccounts = nil
      removed[key] = nil
      unsaved.insert(key)
    }

    /// Forgets an account, which the store has to be told of.
    ///
    /// Should the account sign in after `date`, in another process, that is another matter.
    mutating func remove(_ key: Key, at date: Date) {
      switch records.removeValue(forKey: key) {
      case .read(let known) where isLoaded: undeleted.insert(known.record.id)
      case .stored(let record): undeleted.insert(record.id)
      default: break
      }
      if let id = unread.removeValue(forKey: key) { undeleted.insert(id) }
      sortedAccounts = nil
      unsaved.remove(key)
      removed[key] = date
    }

    /// Takes in what the store holds, but for what is newer here.
    ///
    /// - Returns: whether that could be done; else every record has to be read.
    mutating func adopt(_ found: Found, warning: AuthenticationError?) -> Bool {
      switch found {
      case .all(let stored): adopt(stored)
      case .some(let records, let index):
        // What the store has missed is compared with what it has.
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
        records[record.key] = .read(KnownAccount(record))
        unread[record.key] = nil
      }
    }

    private mutating func adopt(_ stored: [StoredRecord]) {
      var found: [Key: Record] = [:]
      found.reserveCapacity(stored.count)
      for stored in stored {
        guard let (key, record) = read(stored) else { continue }
        if let date = removed[key] {
          guard isSignIn(record, after: date) else {
            undeleted.insert(stored.id)
            continue
          }
          removed[key] = nil
          undeleted.remove(stored.id)
        }
        if let other = found.updateValue(record, forKey: key) {
          let isOlder = isNewer(other, than: record)
          if isOlder { found[key] = other }
          // The older of two would come to light when the newer is removed. Entries of a shared cache are
          // one account's, however often they are listed.
          if case .read(let older) = isOlder ? record : other { undeleted.insert(older.record.id) }
        }
      }
      for key in unsaved {
        guard var newer = record(key) else { continue }
        if case .read(let known)? = found[key].map(read) {
          guard newer.signedInAt >= known.record.signedInAt else {
            unsaved.remove(key)
            continue
          }
          // It takes the place of the record in the store.
          newer.id = known.record.id
        }
        found[key] = .read(KnownAccount(newer))
      }
      records = found
      unread = [:]
      isComplete = true
    }

    /// The next thing to tell the store; nil when there is nothing left, which ends the synchronizing.
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

    /// Ends the synchronizing; `work` is what the store did not do.
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

    private func read(_ stored: StoredRecord) -> (Key, Record)? {
      if let entry = stored.knownEntry {
        return caselessEqual(entry.clientID, clientID) ? (entry.account, .stored(stored)) : nil
      }
      return stored.account(for: clientID).map { ($0.key, .read(KnownAccount($0))) }
    }

    private func read(_ record: Record) -> Record {
      guard case .stored(let stored) = record,
        let record = stored.account(for: clientID)
      else { return record }
      return .read(KnownAccount(record))
    }

    private func isNewer(_ record: Record, than other: Record) -> Bool {
      guard case .read(let other) = read(other) else { return false }
      return isSignIn(record, after: other.record.signedInAt)
    }

    private func isSignIn(_ record: Record, after date: Date) -> Bool {
      guard case .read(let known) = read(record) else { return false }
      return known.record.signedInAt > date
    }
  }
}
