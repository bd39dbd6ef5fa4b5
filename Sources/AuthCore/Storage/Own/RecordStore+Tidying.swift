import CurlHTTP
import FoundationEssentials
import Glibc

extension RecordStore {
  /// Sets damaged slots aside, and deletes obsolete ones.
  ///
  /// - Returns: whether all of it succeeded. Readers do not depend on it, so a failure is tried
  ///   again the next time.
  func tidy(_ found: StoreReading) async -> Bool {
    do throws(AuthenticationError) {
      for name in found.leftovers + found.outdated { try await backend.delete(name) }
      // More would not be kept.
      let (kept, rest) = (
        found.damaged.prefix(StoreReading.quarantineCount),
        found.damaged.dropFirst(StoreReading.quarantineCount)
      )
      try await setAside(Array(kept))
      for (name, _) in rest { try await backend.delete(name) }
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

  /// Moves slots that cannot be used to the quarantine.
  func setAside(
    _ damaged: [(name: Slot.Name, bytes: Secret<Data>)]
  ) async throws(AuthenticationError) {
    for (name, bytes) in damaged {
      let copy = Slot.Name(.quarantine, "\(time(nil))-\(UInt32.random(in: 0...UInt32.max))")
      try await backend.move(name, to: copy, bytes)
    }
  }

  func emptyQuarantine() async throws(AuthenticationError) {
    for slot in try await backend.list() where slot.name.kind == .quarantine {
      try await backend.delete(slot.name)
    }
  }
}
