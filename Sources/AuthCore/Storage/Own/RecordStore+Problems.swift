import CurlHTTP
import FoundationEssentials
import Sentences

/// What keeps records from being read or written.
extension RecordStore {
  /// Finds out whether a record could be written now.
  package func checkWriting() async throws(AuthenticationError) {
    try await backend.checkWriting()
    do throws(StorageFailure) {
      try PrivateFile(path: lockPath).checkWriting()
    } catch {
      throw Self.failure(
        StorageFailure(
          Sentence(
            "its lock '{path}' cannot be used: {reason}",
            ["path": lockPath, "reason": error.reason])))
    }
  }

  /// Looks for problems of the records, without the lock and without setting anything aside.
  ///
  /// - Throws: what a read would throw, or warn of.
  func examineRecords() async throws(AuthenticationError) {
    let found = StoreReading(try await backend.list())
    if let warning = found.warning(after: []) { throw warning }
  }

  /// The records of an app that the last read of all found to be missing or unreadable, with their
  /// accounts if the index has them.
  func lostRecords(of clientID: String) -> [(id: String, account: AccountKey?)] {
    state.withLock { state in
      state.lost.sorted().compactMap { id in
        let entry = state.index?.entries[id]
        guard entry.map({ caselessEqual($0.clientID, clientID) }) != false else { return nil }
        return (id, entry?.account)
      }
    }
  }
}

extension RecordStore.State {
  /// The unreadable records of the accounts of `entries`, whose new records replace them.
  func lostRecords(of entries: [RecordEntry]) -> [(id: String, slots: [Slot.Name])] {
    lost.compactMap { id in
      guard let old = index?.entries[id],
        entries.contains(where: {
          $0.id != id && $0.account == old.account && $0.clientID == old.clientID
        })
      else { return nil }
      return (id, slots[id]?.refused ?? [])
    }
  }
}
