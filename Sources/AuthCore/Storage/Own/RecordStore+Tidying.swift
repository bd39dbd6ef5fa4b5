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

  /// Copies damaged slots to the quarantine, and deletes each after its copy is complete.
  func setAside(
    _ damaged: [(name: Slot.Name, bytes: Secret<Data>)]
  ) async throws(AuthenticationError) {
    for (name, bytes) in damaged {
      let copy = Slot.Name(.quarantine, "\(time(nil))-\(UInt32.random(in: 0...UInt32.max))")
      try await backend.write(bytes, as: copy)
      let written = try await backend.read(copy.kind, copy.id).first
      guard case .data(bytes)? = written?.contents else { continue }
      try await backend.delete(name)
    }
  }

  func emptyQuarantine() async throws(AuthenticationError) {
    for slot in try await backend.list() where slot.name.kind == .quarantine {
      try await backend.delete(slot.name)
    }
  }
}
