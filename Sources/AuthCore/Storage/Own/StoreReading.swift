import FoundationEssentials
import Glibc
import Sentences

/// The contents of a backend.
struct StoreReading: Sendable {
  var records: [String: RecordReading] = [:]
  var indexReading = RecordReading()
  var index: RecordIndex?
  /// Slots in quarantine.
  var quarantine: [Slot.Name] = []
  /// Slots left over from an interrupted write or removal.
  var leftovers: [Slot.Name] = []
  /// Records that were there before, and of which at most the names remain.
  var missing: Set<String> = []

  init(_ slots: [Slot]) {
    let byKind = Dictionary(grouping: slots, by: \.name.kind)
    indexReading = RecordReading(byKind[.index] ?? [])
    index = indexReading.payload.flatMap(RecordIndex.init)
    quarantine = (byKind[.quarantine] ?? []).map(\.name)
    for (id, slots) in Dictionary(grouping: byKind[.record] ?? [], by: \.name.id) {
      if index?.removal(of: id) != nil {
        leftovers += slots.map(\.name)
      } else {
        let record = RecordReading(slots)
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
  private func wasWhole(_ id: String, _ record: RecordReading) -> Bool {
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

  /// Whether anything has to be set aside or deleted.
  var isUntidy: Bool {
    !leftovers.isEmpty || !outdated.isEmpty || records.values.contains(where: \.slots.isDamaged)
  }

  /// Quarantined slots that have been kept long enough.
  var outdated: [Slot.Name] {
    let newestFirst = quarantine.sorted { Self.date($0) > Self.date($1) }
    let oldest = Int(time(nil)) - Self.quarantineAge
    return newestFirst.enumerated().filter {
      $0.offset >= Self.quarantineCount || Self.date($0.element) < oldest
    }.map(\.element)
  }

  /// How long quarantined slots are kept, in seconds, and how many of them.
  private static let quarantineAge = 30 * 86400
  static let quarantineCount = 3

  private static func date(_ name: Slot.Name) -> Int {
    name.id.split(separator: "-").first.flatMap { Int($0) } ?? 0
  }

  /// The warning for the user; `told` are the missing records that were already reported.
  func warning(after told: Set<String>) -> AuthenticationError? {
    let lost = records.values.count(where: \.isLost)
    let damaged = self.damaged.count
    let untouchable = records.values.lazy.compactMap(\.slots.untouchable)
    var sentences: [Sentence] = []
    if lost > 0 {
      sentences.append(
        .plural(
          "One account could not be read, because its data is damaged. The data was set aside;"
            + " please sign in again.",
          "{count} accounts could not be read, because their data is damaged. The data was set"
            + " aside; please sign in again.", count: lost))
    } else if damaged > 0 {
      sentences.append(
        .plural(
          "The latest data of one account is damaged and was set aside; the previous data is used.",
          "The latest data of {count} accounts is damaged and was set aside; the previous data is"
            + " used.", count: damaged))
    }
    let untold = missing.subtracting(told)
    if !untold.isEmpty {
      sentences.append(
        .plural(
          "One account is missing from the token store. If it does not come back, please sign in"
            + " again.",
          "{count} accounts are missing from the token store. If they do not come back, please sign"
            + " in again.", count: untold.count))
    }
    let refusals = records.values.lazy.compactMap(\.slots.refusal)
    if let reason = refusals.first {
      sentences.append(
        .plural(
          "The data of one account was not read: {reason}.",
          "The data of {count} accounts was not read: {reason}.", count: refusals.count,
          ["reason": reason]))
    }
    if let reason = untouchable.first {
      sentences.append(
        .plural(
          "One account cannot be changed, because {reason}.",
          "{count} accounts cannot be changed, because {reason}.", count: untouchable.count,
          ["reason": reason]))
    }
    guard !sentences.isEmpty else { return nil }
    return AuthenticationError(.storageIncomplete, Sentence(sentences), step: .storage)
  }
}
