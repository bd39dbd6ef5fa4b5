import CurlHTTP
import FoundationEssentials
import Glibc

/// Everything in a place, put together.
struct PlaceReading: Sendable {
  var records: [String: RecordReading] = [:]
  var indexReading = RecordReading()
  var index: RecordIndex?
  /// What was set aside.
  var quarantine: [Blob.Name] = []
  /// What is left of records by a process that did not come to the end of removing or writing them.
  var leftovers: [Blob.Name] = []
  /// Records that were there, and of which nothing is there but their names, if these are.
  var missing: Set<String> = []

  init(_ blobs: [Blob]) {
    let byKind = Dictionary(grouping: blobs, by: \.name.kind)
    indexReading = RecordReading(byKind[.index] ?? [])
    index = indexReading.payload.flatMap(RecordIndex.init)
    quarantine = (byKind[.quarantine] ?? []).map(\.name)
    for (id, blobs) in Dictionary(grouping: byKind[.record] ?? [], by: \.name.id) {
      if index?.removal(of: id) != nil {
        leftovers += blobs.map(\.name)
      } else {
        let record = RecordReading(blobs)
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

  /// Whether a record that has lost its contents was more than a write that did not come to its end: a
  /// keyring that is killed may keep the names of what it had not written yet.
  private func wasWhole(_ id: String, _ record: RecordReading) -> Bool {
    if let index { return index.ids.contains(id) }
    // The index comes after the first record, and a second slot after the first.
    return !indexReading.names.isEmpty || record.names.count > 1
  }

  var damaged: [(name: Blob.Name, bytes: Secret<Data>)] { records.values.flatMap(\.damaged) }

  /// Whether there is anything to be set aside or thrown away.
  var isUntidy: Bool {
    !leftovers.isEmpty || !outdated.isEmpty || records.values.contains(where: \.slots.isDamaged)
  }

  /// What has been set aside for long enough.
  var outdated: [Blob.Name] {
    let newestFirst = quarantine.sorted { Self.date($0) > Self.date($1) }
    let oldest = Int(time(nil)) - Self.quarantineAge
    return newestFirst.enumerated().filter {
      $0.offset >= Self.quarantineCount || Self.date($0.element) < oldest
    }.map(\.element)
  }

  /// How long what was set aside is kept, in seconds, and how many of them.
  private static let quarantineAge = 30 * 86400
  private static let quarantineCount = 3

  private static func date(_ name: Blob.Name) -> Int {
    name.id.split(separator: "-").first.flatMap { Int($0) } ?? 0
  }

  /// What to tell the person; `told` are the missing records that they have been told of.
  func warning(after told: Set<String>) -> AuthenticationError? {
    let lost = records.values.count(where: \.isLost)
    let damaged = self.damaged.count
    let untouchable = records.values.lazy.compactMap(\.slots.untouchable)
    var sentences: [String] = []
    if lost > 0 {
      sentences.append(
        "\(Self.accounts(lost)) could not be read, because what was kept is damaged. It was set"
          + " aside; please sign in again.")
    } else if damaged > 0 {
      sentences.append(
        "What was kept of \(Self.accounts(damaged)) last is damaged and was set aside; what was"
          + " kept before is used.")
    }
    let untold = missing.subtracting(told)
    if !untold.isEmpty {
      sentences.append(
        "\(Self.accounts(untold.count)) that should be in the token store cannot be found there."
          + " Should they not come back, please sign in again.")
    }
    if let reason = untouchable.first {
      sentences.append("\(Self.accounts(untouchable.count)) cannot be changed, because \(reason).")
    }
    guard !sentences.isEmpty else { return nil }
    return AuthenticationError(
      .storageIncomplete, sentences.joined(separator: " "), step: .storage)
  }

  private static func accounts(_ count: Int) -> String {
    count == 1 ? "One account" : "\(count) accounts"
  }
}

extension GenerationStore {
  /// Sets aside what is damaged, and throws away what is of no use any more.
  ///
  /// - Returns: whether all of it was done. It changes nothing for whoever reads the place, so it can wait
  ///   for the next time.
  func tidy(_ found: PlaceReading) async -> Bool {
    do throws(AuthenticationError) {
      for name in found.leftovers + found.outdated { try await place.delete(name) }
      try await setAside(found.damaged)
      let lost = found.records.filter(\.value.isLost).keys
      if let index = found.index, !index.ids.isDisjoint(with: lost) {
        try await writeIndex(index) { for id in lost { $0.forget(id) } }
      }
      state.withLock { state in
        for id in lost { state.slots[id] = nil }
        for id in state.slots.keys { state.slots[id]?.isDamaged = false }
      }
      return true
    } catch {
      return false
    }
  }

  /// Copies what is damaged to where nobody takes it for a record, and removes it once the copy is whole.
  func setAside(
    _ damaged: [(name: Blob.Name, bytes: Secret<Data>)]
  ) async throws(AuthenticationError) {
    for (name, bytes) in damaged {
      let copy = Blob.Name(.quarantine, "\(time(nil))-\(UInt32.random(in: 0...UInt32.max))")
      try await place.write(bytes, as: copy)
      let written = try await place.read(copy.kind, copy.id).first
      guard case .data(bytes)? = written?.contents else { continue }
      try await place.delete(name)
    }
  }

  func emptyQuarantine() async throws(AuthenticationError) {
    for blob in try await place.list() where blob.name.kind == .quarantine {
      try await place.delete(blob.name)
    }
  }
}
