import FoundationEssentials

/// The contents of a ``SlotBackend``.
struct StoreReading: Sendable {
  var records: [String: SlotReading] = [:]
  var indexReading = SlotReading()
  var index: RecordIndex?
  /// Slots in quarantine.
  var quarantine: [Slot.Name] = []
  /// Slots left over from an interrupted write or removal.
  var leftovers: [Slot.Name] = []
  /// Records that were there before, and of which at most the names remain.
  var missing: Set<String> = []

  init(_ slots: [Slot]) {
    let byKind = Dictionary(grouping: slots, by: \.name.kind)
    indexReading = SlotReading(byKind[.index] ?? [])
    index = indexReading.payload.flatMap(RecordIndex.init)
    quarantine = (byKind[.quarantine] ?? []).map(\.name)
    for (id, slots) in Dictionary(grouping: byKind[.record] ?? [], by: \.name.id) {
      if index?.removal(of: id) != nil {
        leftovers += slots.map(\.name)
      } else {
        let record = SlotReading(slots)
        if !record.isUnfinished {
          leftovers += record.unfinished
          records[id] = record
        } else if wasWhole(id, record) {
          missing.insert(id)
        } else {
          leftovers += record.unfinished
        }
      }
    }
    missing.formUnion((index?.ids ?? []).subtracting(records.keys))
  }

  /// Whether a record that has lost its contents was once complete, not just an unfinished write: a
  /// keyring that is killed may keep the names of items whose contents it had not saved yet.
  private func wasWhole(_ id: String, _ record: SlotReading) -> Bool {
    if let index { return index.ids.contains(id) }
    // The index is written after the first record, and a second slot after the first.
    return !indexReading.names.isEmpty || record.names.count > 1
  }

  /// The accounts of records that have none in the index.
  var entries: [String: RecordEntry] {
    var entries: [String: RecordEntry] = [:]
    for (id, record) in records where index?.entries[id] == nil {
      entries[id] = record.payload.flatMap { StoredRecord(id: id, contents: $0).entry }
    }
    return entries
  }

  /// Records that are missing, or of which nothing could be read.
  var lost: Set<String> {
    missing.union(records.filter { $0.value.payload == nil && !$0.value.isLost }.keys)
  }

  var damaged: [(name: Slot.Name, bytes: Secret<Data>)] { records.values.flatMap(\.damaged) }

  /// Quarantined slots that have been kept long enough.
  var outdated: [Slot.Name] { Quarantine.outdated(quarantine) }

  /// Whether anything has to be set aside or deleted.
  var isUntidy: Bool {
    !leftovers.isEmpty || !outdated.isEmpty || records.values.contains(where: \.slots.isDamaged)
  }

  var problems: RecordProblems {
    RecordProblems(
      lost: records.values.count(where: \.isLost), damaged: damaged.count, missing: missing,
      untouchable: records.values.compactMap(\.slots.untouchable))
  }
}
