import CurlHTTP
import FoundationEssentials
import Sentences

/// Keeps records safe in any backend.
///
/// A record has two slots that are written in turn, each with its generation and a digest. If a
/// write fails, the previous version is still complete. The newest valid slot is read.
///
/// An index lists the records with their accounts, and those that were removed. It lets one record
/// be read without the others, it distinguishes a backend that does not show its records from an
/// empty one, and it keeps a process that renews a token from restoring an account that another has
/// removed. The index is written only when accounts are added or removed, so a token response is
/// one write.
///
/// Processes take turns with a ``FileLock``, whose file also signals changes.
package final class RecordStore: TokenCacheStore {
  let backend: any RecordBackend
  let state = LockedValue(State())
  let lockPath: String

  /// The known state of the backend, as last read or written here.
  struct State: Sendable {
    var slots: [String: RecordSlots] = [:]
    /// Records that were read or written here, even if someone else has removed them since.
    var seen: Set<String> = []
    /// Nil when there is no valid index.
    var index: RecordIndex?
    var indexSlots = RecordSlots()
    /// The accounts of records that were read but have no account in the index.
    var entries: [String: RecordEntry] = [:]
    /// Records in the index that the backend did not show.
    var missing: Set<String> = []
    /// Records that were there and could not be read, with the missing ones.
    var lost: Set<String> = []
    /// Those of them that were already reported.
    var told: Set<String> = []
    var warning: AuthenticationError?
    /// The stamp of the lock file at that time.
    var stamp: FileStamp?
    /// Watches the lock file with this stamp.
    var watch: FileWatch?
    var isCurrent = false

    /// The index with corrections for the records found, whether it differs from the stored one,
    /// and which records are missing.
    var indexDraft: (index: RecordIndex, isAhead: Bool, missing: Set<String>) {
      var draft = index ?? RecordIndex(ids: Set(slots.keys))
      for entry in entries.values where draft.ids.contains(entry.id) {
        draft.insert(entry.id, entry)
      }
      return (draft, index == nil || !entries.isEmpty && draft != index, missing)
    }

    /// Records that the lock file, at `path`, has `stamp` now.
    mutating func saw(_ stamp: FileStamp?, at path: String) {
      self.stamp = stamp
      watch = stamp.flatMap { FileWatch(path, $0) }
    }
  }

  /// How long another process may take for a write.
  private static let timeout = Duration.seconds(5)
  /// The ID of the index, which is stored as a record.
  static let indexID = "index"

  /// Creates a store in `backend`; all processes that share it use the lock at `lockPath`.
  package init(backend: any RecordBackend, lockPath: String) {
    self.backend = backend
    self.lockPath = lockPath
  }

  /// Whether another process has written since the last read or write here, or is about to.
  package var hasChanged: Bool {
    let (watch, stamp, isCurrent) = state.withLock { ($0.watch, $0.stamp, $0.isCurrent) }
    if let watch { return !isCurrent || !watch.isUnchanged }
    return !isCurrent || stamp != FileStamp(path: lockPath)
  }

  /// The store's name among all stores of this user: that of its lock.
  package var lockName: String? { "store \(PrivateFile(path: lockPath).canonicalPath)" }

  /// A problem found by the last read, which was otherwise successful.
  package var warning: AuthenticationError? { state.withLock { $0.warning } }

  /// Allows the next read to ask the user, although they declined before.
  package func allowAskingAgain() { backend.allowAskingAgain() }

  // MARK: - Reading

  /// All valid records.
  package func load() async throws(AuthenticationError) -> [StoredRecord] {
    try await backend.prepare()
    // Without the lock, reading continues: a complete version of each record always exists.
    let lock = try? await takeLock()
    guard !Task.isCancelled else {
      throw Self.failure(
        StorageFailure(
          Sentence(
            "the operation was canceled")))
    }
    let stamp = FileStamp(path: lockPath)
    let found = StoreReading(try await backend.list())
    state.withLock { state in
      state.slots = found.records.mapValues(\.slots)
      state.seen.formUnion(found.records.keys)
      state.index = found.index
      state.indexSlots = found.indexReading.slots
      state.entries = found.entries
      state.missing = found.missing
      state.lost = found.lost
      state.warning = found.warning(after: state.told)
      state.told.formUnion(found.missing)
      state.saw(stamp, at: lockPath)
      state.isCurrent = true
    }
    if let lock, found.isUntidy, await tidy(found) {
      lock.announce()
      state.withLock { $0.saw(FileStamp(path: lockPath), at: lockPath) }
    }
    return found.records.compactMap { id, record in
      record.payload.map { StoredRecord(id: id, contents: $0) }
    }
  }

  /// The accounts from the index, without reading records.
  package func index() async throws(AuthenticationError) -> [RecordEntry] {
    try await backend.prepare()
    // Without the lock, reading continues, as in `load()`.
    let lock = try? await takeLock()
    defer { withExtendedLifetime(lock) {} }
    guard !Task.isCancelled else {
      throw Self.failure(
        StorageFailure(
          Sentence(
            "the operation was canceled")))
    }
    let (stamp, isCurrent) = (FileStamp(path: lockPath), !hasChanged)
    let found = RecordReading(try await backend.read(.index, Self.indexID))
    guard found.isWhole, let index = found.payload.flatMap(RecordIndex.init) else { return [] }
    state.withLock { state in
      if !isCurrent { state.slots = [:] }
      state.index = index
      state.indexSlots = found.slots
      state.warning = nil
      state.saw(stamp, at: lockPath)
      state.isCurrent = true
    }
    return Array(index.entries.values)
  }

  /// The record with `id`, if it is valid; ``load()`` finds and reports problems.
  package func load(id: String) async throws(AuthenticationError) -> StoredRecord? {
    let before = state.withLock { $0.slots[id] }
    let found = RecordReading(try await backend.read(.record, id))
    guard found.isWhole, let payload = found.payload else { return nil }
    state.withLock { state in
      // Unless this process wrote meanwhile.
      if state.slots[id] == before { state.slots[id] = found.slots }
      state.seen.insert(id)
    }
    return StoredRecord(id: id, contents: payload)
  }

  // MARK: - Writing

  /// Writes a record, unless another process has removed it meanwhile.
  package func save(_ record: StoredRecord) async throws(AuthenticationError) {
    try await save([record])
  }

  /// Writes records, except those that another process has removed meanwhile, and the index once.
  package func save(_ records: [StoredRecord]) async throws(AuthenticationError) {
    guard !records.isEmpty else { return }
    try await change { isCurrent throws(AuthenticationError) in
      if !isCurrent || state.withLock({ !$0.indexSlots.refused.isEmpty }) { try await readIndex() }
      var written: [(id: String, entry: RecordEntry?)] = []
      for record in records where try await write(record, isCurrent: isCurrent) {
        written.append((record.id, record.entry))
      }
      let (draft, isAhead, missing) = state.withLock { $0.indexDraft }
      if written.isEmpty || !isAhead && written.allSatisfy(draft.tells) { return }
      let replaced = state.withLock { $0.lostRecords(of: written.compactMap(\.entry)) }
      try await setAside(replaced.flatMap(\.slots).map { ($0, Secret(Data())) })
      try await writeIndex(draft) { index in
        // Stop reporting a record as missing after a sign-in: the user may have deleted it.
        for id in missing.union(replaced.map(\.id)) { index.forget(id) }
        for record in written { index.insert(record.id, record.entry) }
      }
      state.withLock { state in
        state.lost.subtract(missing.union(replaced.map(\.id)))
        (state.missing, state.entries) = ([], [:])
      }
    }
  }

  /// Writes a record; returns false when another process has removed it meanwhile.
  private func write(
    _ record: StoredRecord, isCurrent: Bool
  ) async throws(AuthenticationError) -> Bool {
    let id = record.id
    var slots = state.withLock { $0.slots[id] } ?? RecordSlots()
    if !isCurrent || slots.isEmpty || slots.isDamaged || !slots.refused.isEmpty {
      let found = RecordReading(try await backend.read(.record, id))
      if isRemoved(record, found) {
        state.withLock { $0.isCurrent = false }
        return false
      }
      try await setAside(found.damaged)
      slots = found.slots
      slots.isDamaged = false
    }
    slots = try await write(record.contents, .record, id, over: slots)
    state.withLock { state in
      state.slots[id] = slots
      state.seen.insert(id)
    }
    return true
  }

  /// Removes a record, and remembers that it was removed.
  package func delete(id: String) async throws(AuthenticationError) {
    try await change { isCurrent throws(AuthenticationError) in
      if !isCurrent || state.withLock({ !$0.indexSlots.refused.isEmpty }) { try await readIndex() }
      let found = RecordReading(try await backend.read(.record, id))
      let index = state.withLock { $0.index } ?? RecordIndex()
      guard !found.names.isEmpty || index.ids.contains(id) else { return }
      let signedIn = found.payload.map { Self.signedIn(StoredRecord(id: id, contents: $0)) }
      let remove = { (index: inout RecordIndex) in index.remove(id, signedIn: signedIn ?? "") }
      do throws(AuthenticationError) {
        // The index first: after that the record counts as removed, even if the rest fails.
        try await writeIndex(index, remove)
        for name in found.names { try await backend.delete(name) }
      } catch {
        // Delete the record even if the index cannot be written: sign-out must work on a full disk.
        for name in found.names { try await backend.delete(name) }
        try await writeIndex(index, remove)
      }
      let isLast = state.withLock { state in
        state.slots[id] = nil
        state.seen.remove(id)
        state.missing.remove(id)
        state.lost.remove(id)
        let rest = state.index?.ids.subtracting(state.missing) ?? []
        return state.slots.isEmpty && rest.isEmpty
      }
      if isLast { try await emptyQuarantine() }
    }
  }

  /// Runs `work` under the lock; its argument says whether the known state is still current.
  private func change(
    _ work: (_ isCurrent: Bool) async throws(AuthenticationError) -> Void
  ) async throws(AuthenticationError) {
    let lock = try await takeLock()
    let isCurrent = !hasChanged
    // Before the change, so that the next process reads it even if this one is killed; and after
    // it, for processes that read without the lock.
    guard lock.announce() else {
      throw Self.failure(StorageFailure.system(Sentence("its lock file cannot be updated")))
    }
    do throws(AuthenticationError) {
      try await work(isCurrent)
    } catch {
      // It is unknown what was done.
      state.withLock { $0.isCurrent = false }
      lock.announce()
      throw error
    }
    lock.announce()
    if isCurrent { state.withLock { $0.saw(FileStamp(path: lockPath), at: lockPath) } }
  }

  /// Writes to the older slot, and verifies the result.
  private func write(
    _ payload: Secret<Data>, _ kind: Slot.Kind, _ id: String, over slots: RecordSlots
  ) async throws(AuthenticationError) -> RecordSlots {
    if let reason = slots.untouchable {
      throw Self.failure(
        StorageFailure(Sentence("it was not changed, because {reason}", ["reason": reason])))
    }
    var slots = slots
    try await setAside(slots.refused.map { ($0, Secret(Data())) })
    (slots.refused, slots.refusal) = ([], nil)
    let (name, generation) = (Slot.Name(kind, id, slots.target), slots.next)
    let text = Envelope(generation: generation, id: id, payload: payload).text
    try await backend.write(text, as: name)
    try await check(name, holds: text)
    slots[slots.target] = generation
    if slots.hasOldForm {
      try await backend.delete(Slot.Name(kind, id))
      slots.hasOldForm = false
    }
    return slots
  }

  private func check(
    _ name: Slot.Name, holds text: Secret<Data>
  ) async throws(AuthenticationError) {
    let slot = try await backend.read(name.kind, name.id).first { $0.name == name }
    guard case .data(text)? = slot?.contents else {
      throw Self.failure(
        StorageFailure(Sentence("it does not contain what was just written to it")))
    }
  }

  func writeIndex(
    _ old: RecordIndex, _ change: (inout RecordIndex) -> Void
  ) async throws(AuthenticationError) {
    let slots = state.withLock { $0.indexSlots }
    // A slot of a later version of this program must not be changed.
    guard slots.untouchable == nil else { return }
    var index = old
    change(&index)
    let written = try await write(index.payload, .index, Self.indexID, over: slots)
    state.withLock { [index] in
      $0.index = index
      $0.indexSlots = written
    }
  }

  private func readIndex() async throws(AuthenticationError) {
    let found = RecordReading(try await backend.read(.index, Self.indexID))
    state.withLock {
      $0.index = found.payload.flatMap(RecordIndex.init)
      $0.indexSlots = found.slots
    }
  }

  // MARK: - Removed records

  /// Whether another process has removed the record since it was read here, and there was no new
  /// sign-in.
  private func isRemoved(_ record: StoredRecord, _ found: RecordReading) -> Bool {
    let (index, isSeen) = state.withLock { ($0.index, $0.seen.contains(record.id)) }
    // Without an index, everything was removed from outside.
    guard let index, isSeen else { return false }
    if let removal = index.removal(of: record.id) {
      return removal.signedIn.isEmpty || removal.signedIn == Self.signedIn(record)
    }
    return found.names.isEmpty && !index.ids.contains(record.id)
  }

  /// When the user signed in, as comparable text; empty when the record does not say.
  private static func signedIn(_ record: StoredRecord) -> String {
    record.account.map { "\($0.asWritten.signedInAt.timeIntervalSince1970)" } ?? ""
  }

  // MARK: - The lock

  private func takeLock() async throws(AuthenticationError) -> FileLock {
    do throws(StorageFailure) {
      return try await FileLock.take("store", in: lockPath, timeout: Self.timeout)
    } catch {
      throw Self.failure(error)
    }
  }

  static func failure(_ failure: StorageFailure) -> AuthenticationError {
    AuthenticationError(
      .storageUnavailable,
      Sentence("The token store was not used: {reason}.", ["reason": failure.reason]),
      step: .storage)
  }
}
