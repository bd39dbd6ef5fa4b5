import CurlHTTP
import FoundationEssentials
import Sentences

/// Keeps records safe in a medium that cannot replace an item atomically, or that can lose some:
/// the keyring.
///
/// A record has two slots that are written in turn, each with its generation and a digest, and is
/// read back. If a write fails, the previous version is still complete. The newest valid slot is
/// read.
///
/// An index lists the records with their accounts, and those that were removed. It lets one record
/// be read without the others, it distinguishes a backend that does not show its records from an
/// empty one, and it keeps a process that renews a token from restoring an account that another has
/// removed. The index is written only when accounts are added or removed, so a token response is
/// one write.
package final class KeyringRecordBackend: RecordBackend {
  private let slots: any SlotBackend
  private let state = LockedValue(State())

  /// The known state of the slots, as last read or written here.
  private struct State: Sendable {
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

    /// The index with corrections for the records found, and whether it differs from the stored
    /// one.
    var indexDraft: (index: RecordIndex, isAhead: Bool) {
      var draft = index ?? RecordIndex(ids: Set(slots.keys))
      for entry in entries.values where draft.ids.contains(entry.id) {
        draft.insert(entry.id, entry)
      }
      return (draft, index == nil || !entries.isEmpty && draft != index)
    }

    /// The unreadable records of the accounts of `entries`, whose new records replace them.
    func lostRecords(of entries: [RecordEntry]) -> Set<String> {
      lost.filter { id in
        guard let old = index?.entries[id] else { return false }
        return entries.contains {
          $0.id != id && $0.account == old.account && $0.clientID == old.clientID
        }
      }
    }
  }

  /// The ID of the index, which is stored as a record.
  private static let indexID = "index"

  package init(_ slots: any SlotBackend) { self.slots = slots }

  package func prepare() async throws(AuthenticationError) { try await slots.prepare() }

  package func allowAskingAgain() { slots.allowAskingAgain() }

  // MARK: - Reading

  package var lost: [LostAccount] {
    state.withLock { state in
      state.lost.sorted().map { LostAccount(record: $0, entry: state.index?.entries[$0]) }
    }
  }

  package func list() async throws(AuthenticationError) -> RecordListing {
    let found = StoreReading(try await slots.list())
    state.withLock { state in
      state.slots = found.records.mapValues(\.slots)
      state.seen.formUnion(found.records.keys)
      state.index = found.index
      state.indexSlots = found.indexReading.slots
      state.entries = found.entries
      state.missing = found.missing
      state.lost = found.lost
    }
    var listing = RecordListing(problems: found.problems)
    listing.records = found.records.compactMap { id, record in
      record.payload.map { StoredRecord(id: id, contents: $0) }
    }
    if found.isUntidy {
      listing.tidy = { [self] () throws(AuthenticationError) in try await tidy(found) }
    }
    return listing
  }

  package func index(isCurrent: Bool) async throws(AuthenticationError) -> [RecordEntry]? {
    let found = SlotReading(try await slots.read(.index, Self.indexID))
    guard found.isWhole, let index = found.payload.flatMap(RecordIndex.init) else { return nil }
    state.withLock { state in
      if !isCurrent { state.slots = [:] }
      (state.index, state.indexSlots) = (index, found.slots)
    }
    return Array(index.entries.values)
  }

  package func read(_ id: String) async throws(AuthenticationError) -> StoredRecord? {
    let before = state.withLock { $0.slots[id] }
    let found = SlotReading(try await slots.read(.record, id))
    guard found.isWhole, let payload = found.payload else { return nil }
    state.withLock { state in
      // Unless this process wrote meanwhile.
      if state.slots[id] == before { state.slots[id] = found.slots }
      state.seen.insert(id)
    }
    return StoredRecord(id: id, contents: payload)
  }

  // MARK: - Writing

  package func write(
    _ records: [StoredRecord], isCurrent: Bool
  ) async throws(AuthenticationError) -> Bool {
    if !isCurrent { try await readIndex() }
    var written: [(id: String, entry: RecordEntry?)] = []
    for record in records where try await write(record, isCurrent: isCurrent) {
      written.append((record.id, record.entry))
    }
    let isAll = written.count == records.count
    let (draft, isAhead) = state.withLock { $0.indexDraft }
    if written.isEmpty || !isAhead && written.allSatisfy(draft.tells) { return isAll }
    let entries = written.compactMap(\.entry)
    // Stop reporting a record as missing after a sign-in: the user may have deleted it.
    let replaced = state.withLock { $0.missing.union($0.lostRecords(of: entries)) }
    try await writeIndex(draft) { index in
      for id in replaced { index.forget(id) }
      for record in written { index.insert(record.id, record.entry) }
    }
    state.withLock { state in
      state.lost.subtract(replaced)
      (state.missing, state.entries) = ([], [:])
    }
    return isAll
  }

  /// Writes a record, and the index later; returns false when another process has removed it
  /// meanwhile.
  private func write(
    _ record: StoredRecord, isCurrent: Bool
  ) async throws(AuthenticationError) -> Bool {
    let id = record.id
    var slots = state.withLock { $0.slots[id] } ?? RecordSlots()
    if !isCurrent || slots.isEmpty || slots.isDamaged {
      let found = SlotReading(try await self.slots.read(.record, id))
      if isRemoved(record, found) { return false }
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
  package func delete(_ id: String, isCurrent: Bool) async throws(AuthenticationError) {
    if !isCurrent { try await readIndex() }
    let found = SlotReading(try await slots.read(.record, id))
    let index = state.withLock { $0.index } ?? RecordIndex()
    guard !found.names.isEmpty || index.ids.contains(id) else { return }
    let signedIn = found.payload.map { StoredRecord(id: id, contents: $0).signedIn }
    let remove = { (index: inout RecordIndex) in index.remove(id, signedIn: signedIn ?? "") }
    do throws(AuthenticationError) {
      // The index first: after that the record counts as removed, even if the rest fails.
      try await writeIndex(index, remove)
      for name in found.names { try await slots.delete(name) }
    } catch {
      // Delete the record even if the index cannot be written: sign-out must always work.
      for name in found.names { try await slots.delete(name) }
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
    guard isLast else { return }
    for slot in try await slots.list() where slot.name.kind == .quarantine {
      try await slots.delete(slot.name)
    }
  }

  /// Writes to the older slot, and verifies the result.
  private func write(
    _ payload: Secret<Data>, _ kind: Slot.Kind, _ id: String, over slots: RecordSlots
  ) async throws(AuthenticationError) -> RecordSlots {
    if let reason = slots.untouchable {
      throw RecordStore.failure(StorageFailure(RecordStore.unchanged(because: reason)))
    }
    var slots = slots
    let (name, generation) = (Slot.Name(kind, id, slots.target), slots.next)
    let text = SlotEnvelope(generation: generation, id: id, payload: payload).text
    try await self.slots.write(text, as: name)
    guard try await holds(text, name) else {
      throw RecordStore.failure(
        StorageFailure(Sentence("it does not contain what was just written to it")))
    }
    slots[slots.target] = generation
    if slots.hasOldForm {
      try await self.slots.delete(Slot.Name(kind, id))
      slots.hasOldForm = false
    }
    return slots
  }

  /// Whether the slot called `name` contains `bytes`.
  private func holds(
    _ bytes: Secret<Data>, _ name: Slot.Name
  ) async throws(AuthenticationError) -> Bool {
    let slot = try await slots.read(name.kind, name.id).first { $0.name == name }
    if case .data(bytes)? = slot?.contents { return true }
    return false
  }

  // MARK: - The index

  private func writeIndex(
    _ old: RecordIndex, _ change: (inout RecordIndex) -> Void
  ) async throws(AuthenticationError) {
    let slots = state.withLock { $0.indexSlots }
    // A slot of a later version of this program must not be changed.
    guard slots.untouchable == nil else { return }
    var index = old
    change(&index)
    let written = try await write(index.payload, .index, Self.indexID, over: slots)
    state.withLock { [index] in ($0.index, $0.indexSlots) = (index, written) }
  }

  private func readIndex() async throws(AuthenticationError) {
    let found = SlotReading(try await slots.read(.index, Self.indexID))
    state.withLock {
      ($0.index, $0.indexSlots) = (found.payload.flatMap(RecordIndex.init), found.slots)
    }
  }

  /// Whether another process has removed the record since it was read here, and there was no new
  /// sign-in.
  private func isRemoved(_ record: StoredRecord, _ found: SlotReading) -> Bool {
    let (index, isSeen) = state.withLock { ($0.index, $0.seen.contains(record.id)) }
    // Without an index, everything was removed from outside.
    guard let index, isSeen else { return false }
    if let removal = index.removal(of: record.id) {
      return removal.signedIn.isEmpty || removal.signedIn == record.signedIn
    }
    return found.names.isEmpty && !index.ids.contains(record.id)
  }

  // MARK: - Damaged slots

  /// Sets damaged slots aside, and deletes obsolete ones.
  private func tidy(_ found: StoreReading) async throws(AuthenticationError) {
    for name in found.leftovers + found.outdated { try await slots.delete(name) }
    // More would not be kept.
    try await setAside(Array(found.damaged.prefix(Quarantine.count)))
    for (name, _) in found.damaged.dropFirst(Quarantine.count) { try await slots.delete(name) }
    let lost = found.records.filter(\.value.isLost).keys
    if let index = found.index, !index.ids.isDisjoint(with: lost) {
      try await writeIndex(index) { for id in lost { $0.forget(id) } }
    }
    state.withLock { state in
      for id in lost { state.slots[id] = nil }
      for id in state.slots.keys { state.slots[id]?.isDamaged = false }
    }
  }

  /// Moves slots that cannot be used to the quarantine: each is deleted after its copy is complete.
  private func setAside(
    _ damaged: [(name: Slot.Name, bytes: Secret<Data>)]
  ) async throws(AuthenticationError) {
    for (name, bytes) in damaged {
      let copy = Quarantine.newName
      try await slots.write(bytes, as: copy)
      if try await holds(bytes, copy) { try await slots.delete(name) }
    }
  }
}
